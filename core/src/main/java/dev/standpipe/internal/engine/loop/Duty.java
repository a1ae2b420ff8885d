package dev.standpipe.internal.engine.loop;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pass of one part, and when it is due again: after as long as the pass says, with jitter, or
 * when woken. A pass that throws is tried again after a pause that grows. A {@link EngineLoop} has
 * the thread. It may be woken by any thread; one thread at a time performs it.
 */
public final class Duty {
  private static final Logger LOG = LoggerFactory.getLogger(Duty.class);
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final String name;
  private final EngineLoop.Pass pass;
  private final Events events;
  private final long longestPause;
  private volatile boolean woken;
  private volatile boolean running;
  private volatile boolean failing;
  private volatile long dueAt = System.nanoTime();
  private volatile Runnable onWake = () -> {};
  private long pause;

  public Duty(String name, EngineLoop.Pass pass, Events events) {
    this(name, pass, events, LONGEST_PAUSE);
  }

  /** A duty that pauses for no longer than this after a pass that failed. */
  public Duty(String name, EngineLoop.Pass pass, Events events, Duration longestPause) {
    this.name = name;
    this.pass = pass;
    this.events = events;
    this.longestPause = Math.min(longestPause.toNanos(), LONGEST_PAUSE.toNanos());
  }

  /** Says who performs it. */
  public void assign(Runnable wakeLoop) {
    this.onWake = wakeLoop;
  }

  public String name() {
    return name;
  }

  /** The pass itself, for a simulation that steps it without a thread. */
  public EngineLoop.Pass pass() {
    return pass;
  }

  /** Has it performed soon. */
  public void wake() {
    woken = true;
    onWake.run();
  }

  /** Has it performed when this time has passed, if that is sooner than it would be. */
  public void wakeIn(Duration time) {
    long at = System.nanoTime() + time.toNanos();
    if (!failing && at - dueAt < 0) {
      dueAt = at;
      onWake.run();
    }
  }

  /**
   * How many nanoseconds are left until it is due. A wake does not shorten the pause after a
   * failure: the waking thread does not know that the part cannot work. A duty that is being
   * performed is not due.
   */
  long dueIn(long now) {
    if (running) {
      return Long.MAX_VALUE;
    }
    return woken && !failing ? 0 : Math.max(0, dueAt - now);
  }

  /** Runs the pass. A wake from here on brings another pass. */
  void perform() {
    running = true;
    woken = false;
    try {
      long wait = once();
      dueAt = System.nanoTime() + wait;
    } finally {
      running = false;
    }
  }

  private long once() {
    try {
      Duration next = pass.run();
      failing = false;
      if (pause > 0) {
        pause = 0;
        events.publish(new Event.DatabaseBack(name));
      }
      return jittered(next.toNanos());
    } catch (StoreException e) {
      if (pause == 0) {
        events.publish(new Event.DatabaseLost(name, String.valueOf(e.getMessage())));
      }
      pause = Math.min(Math.max(FIRST_PAUSE, pause * 2), longestPause);
      failing = true;
      return jittered(pause);
    } catch (RuntimeException | Error e) {
      LOG.error("event=loop_failed part={} : a pass failed, trying again in a second", name, e);
      failing = true;
      return TimeUnit.SECONDS.toNanos(1);
    }
  }

  /** Spreads waits over ± a fifth, so that processes do not keep step with each other. */
  private static long jittered(long nanos) {
    return nanos <= 0 ? 0 : nanos * 4 / 5 + ThreadLocalRandom.current().nextLong(nanos * 2 / 5 + 1);
  }
}
