package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.Deadlines;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Operator;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Stops runs whose deadline has passed, by the database's clock. Any process may do so; from then
 * on such a run ends as a canceled run does.
 */
final class DeadlineEnforcer implements PeriodicDuty {
  private static final int AT_ONCE = 100;
  private static final Duration SHORTEST = Duration.ofMillis(5);
  private static final long GRACE = TimeUnit.NANOSECONDS.toMicros(Operator.CANCEL_GRACE.toNanos());

  private final Deadlines deadlines;
  private final Store store;
  private final ProcessState processState;
  private final RunEndListeners ends;

  DeadlineEnforcer(Store store, ProcessState processState, RunEndListeners ends) {
    this.deadlines = store.deadlines();
    this.store = store;
    this.processState = processState;
    this.ends = ends;
  }

  @Override
  public String name() {
    return "deadlines";
  }

  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    return news ? seen.nextDeadline() : Optional.empty();
  }

  @Override
  public Duration perform() {
    Optional<Duration> next = deadlines.next();
    if (next.isEmpty() || next.get().compareTo(RARELY) >= 0) {
      return RARELY;
    }
    if (next.get().isZero()) {
      deadlines.overdue(AT_ONCE).forEach(this::stop);
    }
    return next.get().compareTo(SHORTEST) < 0 ? SHORTEST : next.get();
  }

  private void stop(UUID run) {
    if (deadlines.expire(run, GRACE)) {
      processState.interrupt(Set.of(run));
      ends.finishStopping(store, run);
    }
  }
}
