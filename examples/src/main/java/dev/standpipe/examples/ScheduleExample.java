package dev.standpipe.examples;

import static java.time.Duration.ofSeconds;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Overlap;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.Timing;
import java.time.Instant;
import java.time.ZoneId;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A report every second, and a bill every night that never runs beside the one before. */
public final class ScheduleExample {
  private ScheduleExample() {}

  /** Runs the example. */
  public static void main(String... args) throws Exception {
    CountDownLatch reports = new CountDownLatch(2);
    Pipeline<Instant, String> report =
        Pipeline.define(
            "report",
            Instant.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "write",
                        String.class,
                        at -> {
                          System.out.println("report of " + at);
                          reports.countDown();
                          return "report of " + at;
                        }));
    Pipeline<Instant, String> billing =
        Pipeline.define(
            "billing",
            Instant.class,
            String.class,
            flow -> flow.input().step("bill", String.class, at -> "billed until " + at));

    Schedule<Instant> often =
        Schedule.of("report-every-second", report, Timing.every(ofSeconds(1))).input(at -> at);
    Schedule<Instant> nightly =
        Schedule.of(
                "nightly-billing", billing, Timing.cron("0 0 2 * * *", ZoneId.of("Europe/Berlin")))
            .input(at -> at)
            .overlap(Overlap.SKIP)
            .missed(Missed.latest());

    try (HikariDataSource database = Database.open(args);
        Standpipe standpipe = Standpipe.on(database).schedule(often, nightly).start()) {
      if (!reports.await(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("No report within a minute");
      }
      standpipe
          .operator("example")
          .schedules()
          .list()
          .forEach(schedule -> System.out.println(schedule.name() + ": " + schedule.timing()));
    }
  }
}
