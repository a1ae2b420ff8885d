package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import java.util.List;

/**
 * A pipeline as a step of another: each called run is one of its own, with its steps and retries,
 * and its result goes on in the caller.
 */
public final class CallExample {
  private CallExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> packing =
        Pipeline.define(
            "pack",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("fetch", String.class, String::strip)
                    .step("wrap", String.class, item -> "packed " + item));
    Pipeline<String, String> orders =
        Pipeline.define(
            "order",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("items", String.class, list -> List.of(list.split(",")))
                    .call("pack-each", packing)
                    .collapse("list", String.class, all -> String.join(", ", all)));

    System.out.println(orders.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(orders).start()) {
      Run<String> run = standpipe.start(orders, "cup, pot");
      System.out.println(run.await(ofMinutes(1)));
      var called = run.info().links().calls();
      boolean known =
          called.stream()
              .map(id -> standpipe.run(id).info().links().calledBy().orElseThrow())
              .allMatch(caller -> caller.run().equals(run.id()));
      System.out.println(called.size() + " called runs, each knows its caller: " + known);
    }
  }
}
