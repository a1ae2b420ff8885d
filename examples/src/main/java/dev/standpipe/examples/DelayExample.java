package dev.standpipe.examples;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import java.time.Instant;

/**
 * Waits in three ways: a while, until an instant the value tells, and before a step. All the time
 * there is only a row that says when to go on.
 */
public final class DelayExample {
  private DelayExample() {}

  /** Somebody to remind, and when. */
  public record Reminder(String who, Instant due) {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    Pipeline<Reminder, String> remind =
        Pipeline.define(
            "remind",
            Reminder.class,
            String.class,
            flow ->
                flow.input()
                    .delay("time-to-object", ofMillis(200))
                    .delayUntil("due", Reminder::due)
                    .step("mail", String.class, reminder -> "mail to " + reminder.who())
                    .delay(ofMillis(200)));

    System.out.print(remind.toMermaid());
    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).serve(remind).start()) {
      Instant due = Instant.now().plusSeconds(1);
      Run<String> run = standpipe.start(remind, new Reminder("ada", due));
      System.out.println(run.await(ofMinutes(1)));
      System.out.println(
          "not before it was due: " + run.info().finishedAt().orElseThrow().isAfter(due));
    }
  }
}
