package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Those who wait for runs to end. A run that ends in this process is announced here; the others are
 * looked up, all with one query, at intervals that grow.
 */
public final class Waiters {
  private static final Duration SHORTEST = Duration.ofMillis(4);
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final Runs runs;
  private final Duration longest;
  private final Map<UUID, CountDownLatch> waiting = new ConcurrentHashMap<>();
  private volatile Duration interval = SHORTEST;
  private volatile Runnable wake = () -> {};

  /** Looks runs up here, at least this often. */
  public Waiters(Runs runs, Duration longest) {
    this.runs = runs;
    this.longest = longest;
  }

  /** What wakes the loop that polls. */
  void onWait(Runnable wake) {
    this.wake = wake;
  }

  /**
   * Waits for a run to end.
   *
   * @return whether it has ended within the time
   */
  public boolean await(UUID run, Duration timeout) throws InterruptedException {
    Duration bounded = timeout.compareTo(FOREVER) < 0 ? timeout : FOREVER;
    long deadline = System.nanoTime() + bounded.toNanos();
    CountDownLatch latch = waiting.computeIfAbsent(run, id -> new CountDownLatch(1));
    if (hasEnded(run)) {
      ended(run);
      return true;
    }
    interval = SHORTEST;
    wake.run();
    boolean ended = latch.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    if (!ended) {
      waiting.remove(run, latch);
    }
    return ended;
  }

  /** A database that cannot be asked now is asked again by the next poll. */
  private boolean hasEnded(UUID run) {
    try {
      return !runs.ended(List.of(run)).isEmpty();
    } catch (StoreException e) {
      return false;
    }
  }

  void ended(UUID run) {
    CountDownLatch latch = waiting.remove(run);
    if (latch != null) {
      latch.countDown();
    }
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration poll() {
    List<UUID> ids = List.copyOf(waiting.keySet());
    if (ids.isEmpty()) {
      return longest;
    }
    runs.ended(ids).forEach(this::ended);
    Duration now = interval;
    Duration doubled = now.multipliedBy(2);
    interval = doubled.compareTo(longest) < 0 ? doubled : longest;
    return now;
  }
}
