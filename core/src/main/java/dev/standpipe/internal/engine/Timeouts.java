package dev.standpipe.internal.engine;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Ends tries that run too long: the body is interrupted, and the try is settled as timed out
 * whether the body heeds that or not, so that nothing it does later can count.
 */
final class Timeouts implements AutoCloseable {
  private final Consumer<Outcome> outcomes;
  private final ScheduledExecutorService timer;

  Timeouts(Consumer<Outcome> outcomes, ScheduledExecutorService timer) {
    this.outcomes = outcomes;
    this.timer = timer;
  }

  /** A time-out that is set. */
  @FunctionalInterface
  interface Alarm {
    /** Takes it back. */
    void stop();
  }

  Alarm set(Work work, Optional<Duration> timeout) {
    if (timeout.isEmpty()) {
      return () -> {};
    }
    long nanos = timeout.get().toNanos();
    Future<?> alarm = timer.schedule(() -> ring(work, nanos), nanos, TimeUnit.NANOSECONDS);
    return () -> alarm.cancel(false);
  }

  private void ring(Work work, long nanos) {
    if (work.end()) {
      String limit = Duration.ofNanos(nanos).toString();
      Exception error = new TimeoutException("The step ran longer than its time-out of " + limit);
      outcomes.accept(new Outcome(work, nanos, new Outcome.Threw(error, true)));
      work.cancel();
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
