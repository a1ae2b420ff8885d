package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;

/** A step leaves something for another that is far from it in the graph. */
public final class ContextExample {
  private ContextExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> greet =
        Pipeline.define(
            "greet",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "look-up",
                        String.class,
                        (name, ctx) -> {
                          ctx.context().set("language", name.equals("Ada") ? "en" : "de");
                          return name;
                        })
                    .step("tidy", String.class, name -> name.strip())
                    .step(
                        "greet",
                        String.class,
                        (name, ctx) -> {
                          String language =
                              ctx.context().get("language", String.class).orElse("en");
                          return (language.equals("de") ? "Guten Tag, " : "Good day, ") + name;
                        }));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(greet).start()) {
      System.out.println(standpipe.start(greet, "Ada").await(ofMinutes(1)));
      System.out.println(standpipe.start(greet, "Emmy").await(ofMinutes(1)));
    }
  }
}
