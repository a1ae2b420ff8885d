package dev.standpipe.internal.engine.execute;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Ends tries that run too long, or too long without progress: the body is interrupted, and the try
 * is settled as timed out whether the body heeds that or not, so that nothing it does later can
 * count.
 *
 * <p>A predicate of the user may decide whether another try follows. It is asked on a thread for
 * bodies, and has little time to answer: without an answer the failure is final, as it is if the
 * predicate throws.
 */
public final class Timeouts implements AutoCloseable {
  private static final Duration LONGEST_ANSWER = Duration.ofSeconds(5);

  private final Consumer<Outcome> outcomes;
  private final ScheduledExecutorService timer;
  private final Executor bodies;

  public Timeouts(Consumer<Outcome> outcomes, ScheduledExecutorService timer, Executor bodies) {
    this.outcomes = outcomes;
    this.timer = timer;
    this.bodies = bodies;
  }

  /** A time-out that is set. */
  @FunctionalInterface
  interface Alarm {
    /** Takes it back. */
    void stop();
  }

  Alarm set(Attempt attempt, Optional<Duration> timeout) {
    if (timeout.isEmpty()) {
      return () -> {};
    }
    long nanos = timeout.get().toNanos();
    Future<?> alarm = timer.schedule(() -> timeOut(attempt, nanos), nanos, TimeUnit.NANOSECONDS);
    return () -> alarm.cancel(false);
  }

  /** Set if the body of a try may not go without progress for this long. */
  Alarm watch(Attempt attempt, Optional<Duration> stallTimeout) {
    if (stallTimeout.isEmpty()) {
      return () -> {};
    }
    attempt.progressed(null);
    StallWatch watch = new StallWatch(attempt, stallTimeout.get().toNanos());
    watch.lookIn(stallTimeout.get().toNanos());
    return watch;
  }

  /** Looks, as soon as it could be so, whether a body has made no progress for too long. */
  private final class StallWatch implements Alarm {
    private final Attempt attempt;
    private final long limit;
    private final long startedAt;
    private @Nullable Future<?> next;
    private boolean stopped;

    StallWatch(Attempt attempt, long limit) {
      this.attempt = attempt;
      this.limit = limit;
      this.startedAt = attempt.progressedAt();
    }

    synchronized void lookIn(long nanos) {
      if (!stopped) {
        next = timer.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
      }
    }

    private void look() {
      long now = System.nanoTime();
      long left = limit - (now - attempt.progressedAt());
      if (left > 0) {
        lookIn(left);
      } else {
        String most = Duration.ofNanos(limit).toString();
        fail(
            attempt,
            now - startedAt,
            "The step made no progress for longer than its stallTimeout of " + most);
      }
    }

    @Override
    public synchronized void stop() {
      stopped = true;
      if (next != null) {
        next.cancel(false);
      }
    }
  }

  private void timeOut(Attempt attempt, long nanos) {
    String limit = Duration.ofNanos(nanos).toString();
    fail(attempt, nanos, "The step ran longer than its time-out of " + limit);
  }

  private void fail(Attempt attempt, long nanos, String why) {
    if (attempt.end()) {
      Exception error = new TimeoutException(why);
      if (attempt.definition().retry().isSelective() && AttemptFailure.mayBeRetried(attempt)) {
        ask(attempt, nanos, error);
      } else {
        settle(attempt, nanos, AttemptFailure.of(error, true));
      }
      attempt.cancel();
    }
  }

  private void ask(Attempt attempt, long nanos, Exception error) {
    AtomicBoolean answered = new AtomicBoolean();
    Future<?> late =
        timer.schedule(
            () -> {
              if (answered.compareAndSet(false, true)) {
                settle(attempt, nanos, AttemptFailure.of(error, false));
              }
            },
            LONGEST_ANSWER.toNanos(),
            TimeUnit.NANOSECONDS);
    try {
      bodies.execute(
          () -> {
            AttemptFailure failure = AttemptFailure.of(attempt, error);
            if (answered.compareAndSet(false, true)) {
              late.cancel(false);
              settle(attempt, nanos, failure);
            }
          });
    } catch (RuntimeException | Error e) { // no thread is free to ask the user's predicate
      if (answered.compareAndSet(false, true)) {
        late.cancel(false);
        settle(attempt, nanos, AttemptFailure.of(error, true));
      }
    }
  }

  private void settle(Attempt attempt, long nanos, AttemptFailure failure) {
    outcomes.accept(new Outcome(attempt, nanos, new Outcome.Threw(failure, true)));
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
