package dev.standpipe.internal.engine.execute;

import dev.standpipe.internal.engine.expand.ExpandThrottle;
import java.util.Collection;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs bodies, at most so many at once, in the order they came. A thread that has run one goes on
 * with the next, so that short bodies cost no hand-over.
 *
 * <p>Waking a thread costs as much as ten bodies that only compute, and a machine has few cores to
 * run them on. So threads come one by one: a thread that takes a body while others wait calls in
 * one more thread, but none while one is on its way. Bodies that block have all the threads they
 * may have within a millisecond; short ones are done by the first few.
 */
public final class BodyPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BodyPool.class);
  private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
  private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  private final int concurrency;
  private final ExecutorService threads;
  private final Consumer<Attempt> runner;
  private final ExpandThrottle throttle;
  private final Queue<Attempt> queue = new ConcurrentLinkedQueue<>();
  private final Queue<Attempt> expands = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicBoolean coming = new AtomicBoolean();
  private volatile boolean shortBodies;

  public BodyPool(
      int concurrency, ExecutorService threads, ExpandThrottle throttle, Consumer<Attempt> runner) {
    this.concurrency = concurrency;
    this.threads = threads;
    this.throttle = throttle;
    this.runner = runner;
  }

  /** Takes these on, and looks again whether an expand may run. */
  public void submit(Collection<Attempt> attempts) {
    attempts.forEach(attempt -> (ExpandThrottle.concerns(attempt) ? expands : queue).add(attempt));
    callIn();
  }

  /** How many bodies run, or threads come to run them. */
  int running() {
    return running.get();
  }

  /** Whether some wait for others to finish. */
  public boolean isBacklogged() {
    return !queue.isEmpty() || !expands.isEmpty();
  }

  private boolean isWaitedFor() {
    return !queue.isEmpty() || (!expands.isEmpty() && throttle.mayExpand());
  }

  private @Nullable Attempt next() {
    Attempt attempt = queue.poll();
    return attempt != null || expands.isEmpty() ? attempt : nextExpand();
  }

  private synchronized @Nullable Attempt nextExpand() {
    return throttle.mayExpand() ? expands.poll() : null;
  }

  /**
   * Calls in one more thread, unless one is on its way. A thread that leaves meanwhile may have
   * found another thread calling, so a caller that finds all threads busy looks again.
   */
  private void callIn() {
    while (running.get() < concurrency
        && !coming.get()
        && isWaitedFor()
        && coming.compareAndSet(false, true)) {
      if (running.getAndUpdate(now -> Math.min(now + 1, concurrency)) < concurrency) {
        bringOne();
        return;
      }
      coming.set(false);
    }
  }

  /** The executor may have no thread just now; the next look tries again. */
  private void bringOne() {
    try {
      threads.execute(this::come);
    } catch (RuntimeException | Error e) {
      running.decrementAndGet();
      coming.set(false);
      if (!threads.isShutdown()) {
        LOG.warn("event=no_thread : bodies wait until there is one: {}", ErrorText.text(e));
      }
    }
  }

  /** Looks again whether a thread is needed: one that could not be had may be there now. */
  public void look() {
    callIn();
  }

  /** The first thread comes at once; one that helps out with short bodies lets them get on. */
  private void come() {
    if (shortBodies && running.get() > 1) {
      LockSupport.parkNanos(this, PAUSE_NANOS);
    }
    coming.set(false);
    drain();
  }

  private void drain() {
    try {
      for (Attempt attempt = next(); attempt != null; attempt = next()) {
        callIn();
        long startedAt = System.nanoTime();
        run(attempt);
        boolean brief = System.nanoTime() - startedAt < SHORT_NANOS;
        if (brief != shortBodies) {
          shortBodies = brief;
        }
      }
    } finally {
      running.decrementAndGet();
      callIn(); // a body queued after the last look may count on this thread
    }
  }

  private void run(Attempt attempt) {
    try {
      runner.accept(attempt);
    } catch (Throwable e) { // the next body has nothing to do with it
      LOG.error("event=body_thread_failed step={}: {}", attempt.step(), ErrorText.text(e));
    } finally {
      Thread.interrupted(); // nor with what a body has left behind
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      threads.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
