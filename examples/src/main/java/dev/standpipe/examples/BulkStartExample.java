package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many runs started at once, all or none, in one transaction. Keys make the whole batch safe to
 * repeat: those that are there already are found, not started again.
 */
public final class BulkStartExample {
  private static final int RUNS = 1_000;

  private BulkStartExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Integer, Integer> twice =
        Pipeline.define(
            "twice",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("once", Integer.class, n -> n + n)
                    .step("check", Integer.class, n -> n));

    List<Integer> inputs = IntStream.range(0, RUNS).boxed().toList();
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(twice).start()) {
      List<Run<Integer>> runs =
          standpipe.startAll(twice, inputs, n -> RunOptions.key("number-" + n).priority(n % 10));
      long sum = 0;
      for (Run<Integer> run : runs) {
        sum += run.await(ofMinutes(1));
      }
      System.out.println(runs.size() + " runs, the sum of their results is " + sum);

      List<Run<Integer>> again =
          standpipe.startAll(twice, inputs, n -> RunOptions.key("number-" + n));
      System.out.println("the same runs: " + ids(again).equals(ids(runs)));
    }
  }

  private static List<String> ids(List<Run<Integer>> runs) {
    return runs.stream().map(run -> run.id().toString()).toList();
  }
}
