package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.port.Tasks;
import java.time.Duration;

/** Makes tasks ready whose time has come, by the database's clock. */
final class Promoter {
  private static final int AT_ONCE = 1_000;
  private static final Duration SHORTEST = Duration.ofMillis(2);

  private final Tasks tasks;
  private final Runnable ring;
  private final Duration interval;

  Promoter(Tasks tasks, Runnable ring, Duration interval) {
    this.tasks = tasks;
    this.ring = ring;
    this.interval = interval;
  }

  /** One pass; says how long to wait for the next. */
  Duration promote() {
    int promoted = tasks.promote(AT_ONCE);
    if (promoted > 0) {
      ring.run();
    }
    if (promoted == AT_ONCE) {
      return Duration.ZERO;
    }
    return tasks.nextDue().map(this::within).orElse(interval);
  }

  private Duration within(Duration due) {
    Duration wait = due.compareTo(SHORTEST) < 0 ? SHORTEST : due;
    return wait.compareTo(interval) < 0 ? wait : interval;
  }
}
