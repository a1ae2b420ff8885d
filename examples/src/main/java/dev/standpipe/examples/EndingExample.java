package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Fail;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.error.RunFailedException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A body that knows better than its retries: it comes back later when a service is busy, which is
 * no failure, and gives up at once when no retry can help.
 */
public final class EndingExample {
  private static final AtomicInteger CALLS = new AtomicInteger();

  private EndingExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    CALLS.set(0);
    Pipeline<String, String> charge =
        Pipeline.define(
            "charge-card",
            String.class,
            String.class,
            flow -> flow.input().step("charge", String.class, card -> charge(card)));

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(charge).start()) {
      Run<String> good = standpipe.start(charge, "4111");
      System.out.println(good.await(ofMinutes(1)));
      good.attempts()
          .forEach(
              attempt ->
                  System.out.println("attempt " + attempt.attempt() + " " + attempt.outcome()));

      Run<String> stolen = standpipe.start(charge, "stolen");
      try {
        stolen.await(ofMinutes(1));
      } catch (RunFailedException e) {
        System.out.println(stolen.info().haltReason().orElseThrow() + ": " + e.getMessage());
      }
    }
  }

  private static String charge(String card) {
    if (card.equals("stolen")) {
      throw Fail.now("the card was reported stolen");
    }
    if (CALLS.incrementAndGet() == 1) {
      throw Retry.after(ofMillis(150)); // the service is busy: nobody's fault
    }
    return "charged " + card;
  }
}
