package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the thread of one part: runs its pass, waits as long as the pass says, with jitter, and runs
 * it again. A pass that throws is tried again after a pause that grows.
 */
final class Loop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(2);

  private static final Duration LONGEST_JOIN = Duration.ofSeconds(10);

  private final String name;
  private final Pass pass;
  private final Events events;
  private volatile Thread thread;
  private volatile boolean stopped;
  private volatile boolean woken;
  private volatile boolean waiting;
  private volatile long passBegan = System.nanoTime();
  private long pause;
  private boolean failing;

  Loop(String name, Pass pass, Events events) {
    this.name = name;
    this.pass = pass;
    this.events = events;
    this.thread = newThread();
  }

  private Thread newThread() {
    Thread fresh = new Thread(this::run, "standpipe-" + name);
    fresh.setDaemon(true);
    return fresh;
  }

  /** One pass of a part. */
  @FunctionalInterface
  interface Pass {
    /** Does it, and says how long to wait for the next; zero for at once. */
    Duration run();
  }

  /** The pass itself, for whoever steps it without the thread. */
  Pass pass() {
    return pass;
  }

  Loop start() {
    thread.start();
    return this;
  }

  /** Ends the wait, if there is one. */
  void wake() {
    woken = true;
    if (waiting) {
      LockSupport.unpark(thread);
    }
  }

  /** Lets the pass that runs finish, and waits for it, though not for ever. */
  @Override
  public void close() {
    close(LONGEST_JOIN);
  }

  /** Lets the pass that runs finish, and waits for it for so long at most. */
  void close(Duration atMost) {
    stop();
    if (Thread.currentThread() != thread) {
      join(atMost);
    }
  }

  /** Ends after the pass that runs, without waiting for it: for passes that may block for long. */
  void stop() {
    stopped = true;
    wake();
  }

  /** What it does. */
  String name() {
    return name;
  }

  /** Whether its thread has ended without being told to. */
  boolean isDead() {
    return !stopped && thread.getState() == Thread.State.TERMINATED;
  }

  /** How long the pass that runs has been running; zero between passes. */
  Duration passRuns() {
    return waiting || !thread.isAlive()
        ? Duration.ZERO
        : Duration.ofNanos(System.nanoTime() - passBegan);
  }

  /** Asks the pass that runs to give up. */
  void interrupt() {
    thread.interrupt();
  }

  /** Goes on with a new thread; the old one, if it still lives, ends after its pass. */
  void restart() {
    passBegan = System.nanoTime();
    thread = newThread();
    thread.start();
  }

  /** Whether it waits for time to pass or to be woken. */
  boolean isWaiting() {
    return waiting;
  }

  /** A pass that hangs, say on a dead connection, is left to its daemon thread after a while. */
  private void join(Duration atMost) {
    try {
      thread.join(atMost.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (isCurrent()) {
      woken = false;
      passBegan = System.nanoTime();
      long wait = once();
      if (isCurrent()) {
        await(wait, failing);
      }
    }
  }

  private boolean isCurrent() {
    return !stopped && Thread.currentThread() == thread;
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
      pause = Math.min(Math.max(FIRST_PAUSE, pause * 2), LONGEST_PAUSE);
      failing = true;
      return jittered(pause);
    } catch (RuntimeException | Error e) {
      LOG.error("event=loop_failed part={} : a pass failed, trying again in a second", name, e);
      failing = true;
      return TimeUnit.SECONDS.toNanos(1);
    }
  }

  /** A pause after a failure lasts: whoever wakes the part does not know that it cannot work. */
  private void await(long nanos, boolean throughout) {
    long until = System.nanoTime() + nanos;
    waiting = true; // before woken is read: whoever sets woken later sees it and unparks
    while (isCurrent() && (throughout || !woken)) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
    }
    waiting = false;
  }

  /** Spreads waits over ± a fifth, so that processes do not keep step with each other. */
  private static long jittered(long nanos) {
    return nanos <= 0 ? 0 : nanos * 4 / 5 + ThreadLocalRandom.current().nextLong(nanos * 2 / 5 + 1);
  }
}
