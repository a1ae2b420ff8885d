package dev.standpipe.faults;

import static dev.standpipe.conformance.server.WorkerJvm.argument;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.server.Databases;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A process with schedules that fire every second. */
final class ScheduleWorker {
  static final int SCHEDULES = 20;

  private ScheduleWorker() {}

  /**
   * Fires until it is killed.
   *
   * @param args url, and lease in milliseconds
   */
  public static void main(String[] args) throws InterruptedException {
    Standpipe.on(Databases.source(argument(args, "url")))
        .schedule(schedules())
        .lease(Duration.ofMillis(Long.parseLong(argument(args, "lease"))))
        .start();
    System.out.println("ready");
    new CountDownLatch(1).await();
  }

  static Schedule<?>[] schedules() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "fired",
            String.class,
            String.class,
            flow -> flow.input().step("note", String.class, text -> text));
    List<Schedule<?>> schedules = new ArrayList<>();
    for (int i = 0; i < SCHEDULES; i++) {
      schedules.add(
          Schedule.of("every-second-" + i, pipeline, Timing.every(Duration.ofSeconds(1)))
              .input(Instant::toString)
              .missed(Missed.all(1000)));
    }
    return schedules.toArray(Schedule<?>[]::new);
  }
}
