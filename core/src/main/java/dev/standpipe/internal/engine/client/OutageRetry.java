package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * Waits out an outage of the database for its callers. It repeats a call that only reads; it
 * repeats a call that writes only after a look has shown that the first did not take effect.
 * Thread-safe.
 */
final class OutageRetry {
  /** Waits for nothing. */
  static final OutageRetry FAIL_AT_ONCE = new OutageRetry(Duration.ZERO);

  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

  private final Duration tolerance;
  private volatile boolean closed;

  OutageRetry(Duration tolerance) {
    this.tolerance = tolerance;
  }

  /** From here on no call waits. */
  void close() {
    closed = true;
  }

  /** Reads, and reads again while the database is away. */
  <T> T reading(Supplier<T> read) {
    return sending(read, Optional::empty, read);
  }

  /**
   * Sends, and sends again what the database may not have got, unless a look finds that it took
   * effect. The time it may take counts from the first try on, however long that one waited.
   *
   * @param landed what it came to, if it did
   * @param again how to send it again
   */
  <T> T sending(Supplier<T> first, Supplier<Optional<T>> landed, Supplier<T> again) {
    long deadline = System.nanoTime() + tolerance.toNanos();
    try {
      return first.get();
    } catch (StoreException e) {
      return retry(e, deadline, landed, again);
    }
  }

  private <T> T retry(
      StoreException first, long deadline, Supplier<Optional<T>> landed, Supplier<T> send) {
    StoreException last = first;
    for (long pause = FIRST_PAUSE; isWorthwhile(last, deadline); pause = longer(pause)) {
      LockSupport.parkNanos(this, Math.min(pause, Math.max(1, deadline - System.nanoTime())));
      try {
        Optional<T> before = landed.get();
        return before.isPresent() ? before.get() : sendOrFind(send, landed);
      } catch (StoreException e) {
        last = e;
      }
    }
    throw last;
  }

  /** The first one may still have been on its way: then the second meets its rows. */
  private static <T> T sendOrFind(Supplier<T> send, Supplier<Optional<T>> landed) {
    try {
      return send.get();
    } catch (StoreException e) {
      if (e.failure() != StoreFailure.OTHER) {
        throw e;
      }
      return landed.get().orElseThrow(() -> e);
    }
  }

  /** A call that the caller interrupts, or that the database refuses for good, ends at once. */
  private boolean isWorthwhile(StoreException error, long deadline) {
    return !closed
        && error.failure() == StoreFailure.CONNECTION
        && !error.isRefusal()
        && !Thread.currentThread().isInterrupted()
        && deadline - System.nanoTime() > 0;
  }

  private static long longer(long pause) {
    return Math.min(pause * 2, LONGEST_PAUSE);
  }
}
