package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.Tasks;
import java.time.Duration;
import java.util.Optional;

/** Makes tasks ready whose time has come, by the database's clock. */
final class Promoter implements PeriodicDuty {
  private static final int AT_ONCE = 1_000;
  private static final Duration SHORTEST = Duration.ofMillis(2);

  private final Tasks tasks;
  private final Runnable announce;

  Promoter(Tasks tasks, Runnable announce) {
    this.tasks = tasks;
    this.announce = announce;
  }

  @Override
  public String name() {
    return "promoter";
  }

  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    return news ? seen.nextTask() : Optional.empty();
  }

  @Override
  public Duration perform() {
    int promoted = tasks.promote(AT_ONCE);
    if (promoted > 0) {
      announce.run();
    }
    if (promoted == AT_ONCE) {
      return Duration.ZERO;
    }
    return tasks.nextDue().map(Promoter::within).orElse(RARELY);
  }

  private static Duration within(Duration due) {
    Duration wait = due.compareTo(SHORTEST) < 0 ? SHORTEST : due;
    return wait.compareTo(RARELY) < 0 ? wait : RARELY;
  }
}
