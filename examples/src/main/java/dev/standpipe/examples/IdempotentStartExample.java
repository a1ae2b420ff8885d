package dev.standpipe.examples;

import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.error.DuplicateKeyException;

/**
 * A start with a key can be repeated: the same key with the same input is the same run, whoever
 * asks and however often. The same key with another input is a mistake and says so.
 */
public final class IdempotentStartExample {
  private IdempotentStartExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Integer, Integer> square =
        Pipeline.define(
            "square",
            Integer.class,
            Integer.class,
            flow -> flow.input().step("multiply", Integer.class, n -> n * n));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(square).start()) {
      Run<Integer> first = standpipe.start(square, 7, RunOptions.key("seven"));
      Run<Integer> again = standpipe.start(square, 7, RunOptions.key("seven"));
      System.out.println("the same run: " + first.id().equals(again.id()));
      System.out.println("its result: " + again.await(ofMinutes(1)));
      try {
        standpipe.start(square, 8, RunOptions.key("seven"));
      } catch (DuplicateKeyException e) {
        System.out.println("refused: " + e.code());
      }
    }
  }
}
