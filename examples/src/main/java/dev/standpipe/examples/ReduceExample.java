package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;
import java.util.stream.IntStream;

/**
 * Many elements that come together one by one: a reduce never has all of their values at once. An
 * expand that yields more than its limit halts the run before anything of it is written.
 */
public final class ReduceExample {
  private ReduceExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Integer, Long> squares =
        Pipeline.define(
            "sum-of-squares",
            Integer.class,
            Long.class,
            flow ->
                flow.input()
                    .expand(
                        "numbers", Integer.class, n -> IntStream.rangeClosed(1, n).boxed().toList())
                    .limit(5_000)
                    .step("square", Long.class, n -> (long) n * n)
                    .reduce("sum", Long.class, () -> 0L, Long::sum));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(squares).start()) {
      System.out.println(standpipe.start(squares, 1_000).await(ofMinutes(1)));
      try {
        standpipe.start(squares, 6_000).await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
