package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import java.util.List;

/**
 * One branch per element, decided while the run is under way: a text is split into lines, each line
 * is counted on its own, and the counts come together in the order of the lines. A text without
 * lines still comes to an end: there is just nothing to add up.
 */
public final class FanOutExample {
  private FanOutExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> count =
        Pipeline.define(
            "count-words",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expand("lines", String.class, text -> text.lines().toList())
                    .step("words", Integer.class, line -> line.split(" ").length)
                    .collapse("total", String.class, FanOutExample::total));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(count).start()) {
      String poem = "so much depends\nupon\na red wheel barrow";
      System.out.println(standpipe.start(count, poem).await(ofMinutes(1)));
      System.out.println(standpipe.start(count, "").await(ofMinutes(1)));
    }
  }

  private static String total(List<Integer> counts) {
    return counts + " words, " + counts.stream().mapToInt(Integer::intValue).sum() + " in all";
  }
}
