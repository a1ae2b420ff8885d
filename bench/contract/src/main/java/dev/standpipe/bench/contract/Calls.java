package dev.standpipe.bench.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Calls of an engine, one after the other or so many a second. Not thread-safe.
 *
 * @param engine what to call
 * @param rate calls that begin in a second; 0 for one after the other
 */
record Calls(Engine engine, long rate) {
  private static final int CALLERS = 256;

  /** Makes calls and returns how long each took, in microseconds. */
  long[] make(int firstRun, int count, long limitNanos) throws Exception {
    return rate == 0 ? oneByOne(firstRun, count, limitNanos) : atRate(firstRun, count, limitNanos);
  }

  private long[] oneByOne(int firstRun, int count, long limitNanos) throws Exception {
    List<Long> micros = new ArrayList<>(count);
    long began = System.nanoTime();
    for (int i = 0; i < count && (i == 0 || System.nanoTime() - began < limitNanos); i++) {
      long start = System.nanoTime();
      engine.call(firstRun + i);
      micros.add(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start));
    }
    return toArray(micros);
  }

  private long[] atRate(int firstRun, int count, long limitNanos) throws Exception {
    ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
    try {
      List<Future<Long>> calls = new ArrayList<>(count);
      long gap = TimeUnit.SECONDS.toNanos(1) / rate;
      long began = System.nanoTime();
      for (int i = 0; i < count && i * gap < limitNanos; i++) {
        int run = firstRun + i;
        long due = began + i * gap;
        awaitTime(due);
        calls.add(callers.submit(() -> call(run, due)));
      }
      return took(calls, began, gap, System.nanoTime() + limitNanos);
    } finally {
      callers.shutdownNow();
    }
  }

  /** Whoever is not back by the deadline counts as if it were. */
  private static long[] took(List<Future<Long>> calls, long began, long gap, long deadline)
      throws Exception {
    long[] micros = new long[calls.size()];
    for (int i = 0; i < micros.length; i++) {
      try {
        long left = Math.max(0, deadline - System.nanoTime());
        micros[i] = calls.get(i).get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        micros[i] = TimeUnit.NANOSECONDS.toMicros(deadline - began - i * gap);
      }
    }
    return micros;
  }

  private long call(int run, long due) throws Exception {
    engine.call(run);
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - due);
  }

  private static void awaitTime(long nanoTime) {
    long left = nanoTime - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = nanoTime - System.nanoTime();
    }
  }

  private static long[] toArray(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }
}
