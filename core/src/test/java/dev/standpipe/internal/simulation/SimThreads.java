package dev.standpipe.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs nothing by itself: what it is given waits until somebody has it run. */
final class SimThreads extends ScheduledThreadPoolExecutor {
  private final List<Runnable> waiting = new ArrayList<>();
  private final List<Alarm> alarms = new ArrayList<>();

  SimThreads() {
    super(0);
  }

  @Override
  public void execute(Runnable task) {
    waiting.add(task);
  }

  boolean isIdle() {
    return waiting.isEmpty();
  }

  /** Runs the task that has waited longest. */
  void runNext() {
    waiting.remove(0).run();
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
    Alarm alarm = new Alarm(task);
    alarms.add(alarm);
    return alarm;
  }

  /** Lets the time-out pass that was set last. */
  void ringNewest() {
    alarms.remove(alarms.size() - 1).run();
  }

  private final class Alarm extends FutureTask<Object> implements ScheduledFuture<Object> {
    Alarm(Runnable task) {
      super(task, null);
    }

    @Override
    protected void done() {
      alarms.remove(this);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
