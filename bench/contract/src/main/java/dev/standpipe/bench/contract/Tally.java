package dev.standpipe.bench.contract;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What the step bodies of a contender report to. Thread-safe. */
public class Tally {
  private static final long TICK_NANOS = 500_000;

  private final AtomicLong steps = new AtomicLong();
  private final Map<Integer, CountDownLatch> ends = new ConcurrentHashMap<>();
  private final AtomicReference<@Nullable Long> firstAt = new AtomicReference<>();

  /** A body ran. */
  public void step(int run) throws InterruptedException {
    // Before it is counted: whoever sees a step must see when the first one ran.
    if (firstAt.get() == null) {
      firstAt.compareAndSet(null, System.nanoTime());
    }
    steps.incrementAndGet();
  }

  /** The last body of a run has run; for contenders that offer nothing to wait for. */
  public void end(int run) {
    CountDownLatch latch = ends.get(run);
    if (latch != null) {
      latch.countDown();
    }
  }

  /** Runs something that makes this run end sooner or later, and waits until it does. */
  public void awaitEnd(int run, Starting starting) throws Exception {
    CountDownLatch latch = new CountDownLatch(1);
    ends.put(run, latch);
    try {
      starting.run();
      if (!latch.await(60, TimeUnit.SECONDS)) {
        throw new TimeoutException("Run " + run + " has not ended within a minute");
      }
    } finally {
      ends.remove(run);
    }
  }

  /** How many bodies have run. */
  public long steps() {
    return steps.get();
  }

  /** When the first body ran, by {@link System#nanoTime}. To be asked only once one has. */
  long firstAt() {
    return Objects.requireNonNull(firstAt.get(), "No body has run");
  }

  /** Waits for this many bodies, or until a time by {@link System#nanoTime}. */
  boolean await(long wanted, long deadline) {
    while (steps() < wanted) {
      if (System.nanoTime() - deadline >= 0) {
        return false;
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
    return true;
  }

  /** What starts a run. */
  @FunctionalInterface
  public interface Starting {
    /** Starts it. */
    void run() throws Exception;
  }
}
