package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.port.Deadlines;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Operator;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * Stops runs whose deadline has passed, by the database's clock. Any process may; from there on
 * such a run goes the way of one that is canceled.
 */
final class DeadlineEnforcer {
  private static final int AT_ONCE = 100;
  private static final Duration SHORTEST = Duration.ofMillis(5);
  private static final long GRACE = TimeUnit.NANOSECONDS.toMicros(Operator.CANCEL_GRACE.toNanos());

  private final Deadlines deadlines;
  private final Store store;
  private final ProcessState processState;
  private final RunEndListeners ends;
  private final Duration interval;

  DeadlineEnforcer(
      Store store, ProcessState processState, RunEndListeners ends, Duration interval) {
    this.deadlines = store.deadlines();
    this.store = store;
    this.processState = processState;
    this.ends = ends;
    this.interval = interval;
  }

  /** One pass; says how long to wait for the next. */
  Duration look() {
    Optional<Duration> next = deadlines.next();
    if (next.isEmpty() || next.get().compareTo(interval) >= 0) {
      return interval;
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
