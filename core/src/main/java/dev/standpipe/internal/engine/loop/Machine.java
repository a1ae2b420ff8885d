package dev.standpipe.internal.engine.loop;

import dev.standpipe.internal.engine.client.Uuid7;
import dev.standpipe.internal.engine.lease.ProcessIdFile;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * All that a process takes from the machine it runs on: time that passes, unique ids, and threads.
 * A simulation hands in its own, so that a seed decides all of it.
 */
public interface Machine {
  /** The machine itself. */
  Machine REAL = new Real();

  /** The monotonic clock; never compared with anything but itself. */
  long nanoTime();

  /** An id for a process. */
  UUID freshId();

  /** An id for a run. */
  UUID freshRunId();

  /** Hears of a process before it can hold anything: a supervisor has to know whose it is. */
  void joining(UUID process);

  /** Threads for the bodies of one process. */
  ExecutorService bodies();

  /**
   * Has the thread of a body wait for a reply.
   *
   * @return whether it has come within this time, whatever it is
   */
  boolean await(CompletableFuture<?> reply, Duration within) throws InterruptedException;

  /** A timer for the time-outs of one process. */
  ScheduledExecutorService timer();

  /** This JVM's. */
  final class Real implements Machine {
    private Real() {}

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public UUID freshId() {
      return UUID.randomUUID();
    }

    @Override
    public UUID freshRunId() {
      return Uuid7.next();
    }

    @Override
    public void joining(UUID process) {
      ProcessIdFile.ofThisJvm().add(process);
    }

    @Override
    public ExecutorService bodies() {
      return Threads.forBodies();
    }

    @Override
    public boolean await(CompletableFuture<?> reply, Duration within) throws InterruptedException {
      try {
        reply.get(within.toNanos(), TimeUnit.NANOSECONDS);
        return true;
      } catch (ExecutionException e) {
        return true;
      } catch (TimeoutException e) {
        return false;
      }
    }

    @Override
    public ScheduledExecutorService timer() {
      ScheduledThreadPoolExecutor timer =
          new ScheduledThreadPoolExecutor(
              1,
              task -> {
                Thread thread = new Thread(task, "standpipe-timeouts");
                thread.setDaemon(true);
                return thread;
              });
      timer.setRemoveOnCancelPolicy(true);
      timer.setKeepAliveTime(10, TimeUnit.SECONDS);
      timer.allowCoreThreadTimeOut(true);
      return timer;
    }
  }
}
