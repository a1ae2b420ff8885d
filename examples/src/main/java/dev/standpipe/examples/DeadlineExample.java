package dev.standpipe.examples;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;

/** A run that would take a day and has a deadline: it is halted when that has passed. */
public final class DeadlineExample {
  private DeadlineExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<String, String> slow =
        Pipeline.define(
            "slow-delivery",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .delay("next-day", ofDays(1))
                    .step("deliver", String.class, parcel -> "delivered " + parcel));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(slow).start()) {
      Run<String> run = standpipe.start(slow, "a vase", RunOptions.none().deadline(ofMillis(500)));
      try {
        run.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}
