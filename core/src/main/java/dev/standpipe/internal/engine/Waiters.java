package dev.standpipe.internal.engine;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Those who wait for runs to end. A run that ends in this process is announced here, most often a
 * moment after somebody begins to wait, so nobody asks the database at once. The others are looked
 * up, all with one query, at intervals that grow.
 */
public final class Waiters {
  private static final Duration SHORTEST = Duration.ofMillis(4);
  private static final Duration FOREVER = Duration.ofDays(36_500);

  private final Runs runs;
  private final Duration longest;
  private final Map<UUID, Waiting> waiting = new ConcurrentHashMap<>();
  private volatile Duration interval = SHORTEST;
  private volatile Runnable wake = () -> {};
  private volatile boolean closed;

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
   * How a run has ended, as far as whoever waits for it need not ask the database.
   *
   * @param output its output as it was stored, if this process has just committed it
   */
  record End(Optional<String> output) {
    /** It has ended; that is all. */
    static final End SOMEHOW = new End(Optional.empty());
  }

  /**
   * Waits for a run to end.
   *
   * @return how it has ended, or nothing if it has not within the time
   */
  Optional<End> await(UUID run, Duration timeout) throws InterruptedException {
    Duration bounded = timeout.compareTo(FOREVER) < 0 ? timeout : FOREVER;
    long deadline = System.nanoTime() + bounded.toNanos();
    Waiting mine = waiting.compute(run, (id, other) -> Waiting.joined(other));
    try {
      if (!closed && isOver(mine, Math.min(deadline, System.nanoTime() + SHORTEST.toNanos()))) {
        return over(run, mine);
      }
      if (hasEnded(run)) {
        ended(run, End.SOMEHOW);
        return Optional.of(mine.end);
      }
      interval = SHORTEST;
      wake.run();
      return closed || isOver(mine, deadline) ? over(run, mine) : Optional.empty();
    } finally {
      waiting.computeIfPresent(run, (id, present) -> present == mine ? mine.left() : present);
    }
  }

  private static boolean isOver(Waiting mine, long deadline) throws InterruptedException {
    return mine.over.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }

  private Optional<End> over(UUID run, Waiting mine) {
    if (closed) {
      requireEnded(run);
    }
    return Optional.of(mine.end);
  }

  /** A database that cannot be asked now is asked again by the next poll. */
  private boolean hasEnded(UUID run) {
    try {
      return !runs.ended(List.of(run)).isEmpty();
    } catch (StoreException e) {
      return false;
    }
  }

  private void requireEnded(UUID run) {
    if (!hasEnded(run)) {
      throw new StandpipeException(
          ErrorCode.CLOSED,
          "This Standpipe is closed and waits for nothing. Run " + run + " goes on.");
    }
  }

  void ended(UUID run, End end) {
    Waiting all = waiting.remove(run);
    if (all != null) {
      all.end = end;
      all.over.countDown();
    }
  }

  /** Sends those who wait away, since nobody will tell them any more. */
  void close() {
    closed = true;
    waiting.values().forEach(all -> all.over.countDown());
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration poll() {
    List<UUID> ids = List.copyOf(waiting.keySet());
    if (ids.isEmpty()) {
      return longest;
    }
    runs.ended(ids).forEach(run -> ended(run, End.SOMEHOW));
    Duration now = interval;
    Duration doubled = now.multipliedBy(2);
    interval = doubled.compareTo(longest) < 0 ? doubled : longest;
    return now;
  }

  /** Those who wait for one run. Counted under the map's lock on the run's entry. */
  private static final class Waiting {
    final CountDownLatch over = new CountDownLatch(1);
    volatile End end = End.SOMEHOW;
    private int count;

    static Waiting joined(@Nullable Waiting others) {
      Waiting all = others == null ? new Waiting() : others;
      all.count++;
      return all;
    }

    @Nullable Waiting left() {
      return --count == 0 ? null : this;
    }
  }
}
