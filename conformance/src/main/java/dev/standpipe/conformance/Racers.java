package dev.standpipe.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs work on several threads that all begin at the same moment. */
public final class Racers {
  private Racers() {}

  /** Work of one of several threads. */
  @FunctionalInterface
  public interface Work<T> {
    /** Does it; the number counts the threads from 0. */
    T run(int number) throws Exception;
  }

  /** Runs it on so many threads and returns what each returned, in their order. */
  public static <T> List<T> race(int threads, Work<T> work) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      CyclicBarrier start = new CyclicBarrier(threads);
      List<Callable<T>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        all.add(
            () -> {
              start.await();
              return work.run(number);
            });
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : pool.invokeAll(all)) {
        results.add(future.get());
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    } catch (ExecutionException e) {
      throw new AssertionError("A racer failed: " + e.getCause(), e.getCause());
    } finally {
      pool.shutdownNow();
    }
  }
}
