package dev.standpipe.supervisor;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.UUID;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The place of one child process: the child in it is watched, and replaced when it has ended. Not
 * thread-safe.
 */
final class ChildSlot {
  private final int number;
  private final IntFunction<Child> starting;
  private final Processes processes;
  private final Events events;
  private final Duration patience;
  private final Backoff backoff;
  private volatile @Nullable Child child;
  private long nextStart = System.nanoTime();
  private long staleSince;
  private boolean stale;

  /** Kills children that have been stale for longer than the patience. */
  ChildSlot(
      int number, IntFunction<Child> starting, Processes processes, Events events, Pace pace) {
    this.number = number;
    this.starting = starting;
    this.processes = processes;
    this.events = events;
    this.patience = pace.patience();
    this.backoff = new Backoff(pace.youth());
  }

  /**
   * How hasty a supervisor is.
   *
   * @param patience how long a child may be stale
   * @param youth how long a child must live to be replaced at once
   */
  record Pace(Duration patience, Duration youth) {}

  @Nullable Child child() {
    return child;
  }

  /** One look; throws if the database cannot be reached. */
  void tend() {
    Child sitting = child;
    if (sitting == null) {
      if (nextStart - System.nanoTime() <= 0) {
        seat();
      }
    } else if (sitting.isAlive()) {
      watch(sitting);
    } else {
      clear(sitting);
    }
  }

  /** How long until there is something to do without an exit of the child. */
  Duration wait(Duration atMost) {
    if (child != null) {
      return atMost;
    }
    Duration left = Duration.ofNanos(Math.max(0, nextStart - System.nanoTime()));
    return left.compareTo(atMost) < 0 ? left : atMost;
  }

  int number() {
    return number;
  }

  /**
   * A child that cannot be started, for want of memory or of a file, is tried again after a pause.
   */
  private void seat() {
    Child fresh;
    try {
      fresh = starting.apply(number);
    } catch (RuntimeException | Error e) {
      nextStart = System.nanoTime() + backoff.after(Duration.ZERO).toNanos();
      throw e;
    }
    stale = false;
    child = fresh;
    events.publish(new Event.ChildStarted(number, fresh.pid()));
  }

  private void watch(Child sitting) {
    boolean lost = sitting.id().map(id -> !processes.isLive(id)).orElse(false);
    if (!lost) {
      stale = false;
    } else if (!stale) {
      stale = true;
      staleSince = System.nanoTime();
    } else if (System.nanoTime() - staleSince >= patience.toNanos()) {
      events.publish(new Event.ChildStale(number, sitting.pid()));
      sitting.kill();
    }
  }

  /** Reaps what the dead child held, and sets the time for the next. */
  void clear(Child dead) {
    Duration lived = dead.lived();
    int tasks = 0;
    for (UUID id : dead.ids()) {
      tasks += processes.reapNow(id).map(Processes.Reaped::tasks).orElse(0);
    }
    dead.forget();
    child = null;
    nextStart = System.nanoTime() + backoff.after(lived).toNanos();
    events.publish(new Event.ChildEnded(number, dead.pid(), dead.exitCode(), tasks));
  }
}
