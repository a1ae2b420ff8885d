package dev.standpipe.internal.engine;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Runs bodies, at most so many at once, in the order they came. A thread that has run one goes on
 * with the next, so that short bodies cost no hand-over.
 */
final class BodyPool implements AutoCloseable {
  private final int concurrency;
  private final ExecutorService threads;
  private final Consumer<Work> runner;
  private final Queue<Work> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger running = new AtomicInteger();

  BodyPool(int concurrency, ExecutorService threads, Consumer<Work> runner) {
    this.concurrency = concurrency;
    this.threads = threads;
    this.runner = runner;
  }

  void submit(Work work) {
    queue.add(work);
    lend();
  }

  /** How many bodies run. */
  int running() {
    return running.get();
  }

  /** Whether some wait for others to finish. */
  boolean isBacklogged() {
    return !queue.isEmpty();
  }

  private void lend() {
    int now = running.get();
    while (now < concurrency) {
      if (running.compareAndSet(now, now + 1)) {
        threads.execute(this::drain);
        return;
      }
      now = running.get();
    }
  }

  private void drain() {
    try {
      for (Work work = queue.poll(); work != null; work = queue.poll()) {
        runner.accept(work);
      }
    } finally {
      running.decrementAndGet();
      if (!queue.isEmpty()) {
        lend();
      }
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
