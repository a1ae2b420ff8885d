package dev.standpipe.internal.engine.loop;

import dev.standpipe.internal.engine.event.Events;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Owns a thread, and performs with it one duty, or several in turn, whenever they are due. A duty
 * whose pass throws holds up none of the others; one whose pass does not return can be left behind
 * with its thread.
 */
public final class EngineLoop implements AutoCloseable {
  private static final Duration LONGEST_JOIN = Duration.ofSeconds(10);

  private final String name;
  private final List<Duty> duties;
  private volatile Thread thread;
  private volatile boolean stopped;
  private volatile boolean waiting;
  private volatile @Nullable Duty running;
  private volatile long passBegan = System.nanoTime();

  /** Performs one duty of the same name. */
  public EngineLoop(String name, Pass pass, Events events) {
    this(name, List.of(new Duty(name, pass, events)));
  }

  /** Performs one duty of the same name, which pauses for no longer than this after it failed. */
  public EngineLoop(String name, Pass pass, Events events, Duration longestPause) {
    this(name, List.of(new Duty(name, pass, events, longestPause)));
  }

  /** Performs these duties; no other loop may. */
  public EngineLoop(String name, List<Duty> duties) {
    this.name = name;
    this.duties = List.copyOf(duties);
    this.thread = newThread();
    duties.forEach(duty -> duty.assign(this::unpark));
  }

  private Thread newThread() {
    Thread fresh = new Thread(this::run, "standpipe-" + name);
    fresh.setDaemon(true);
    return fresh;
  }

  /** One pass of a part. */
  @FunctionalInterface
  public interface Pass {
    /** Does it, and says how long to wait for the next; zero for at once. */
    Duration run();
  }

  /** What it performs. */
  public List<Duty> duties() {
    return duties;
  }

  public EngineLoop start() {
    thread.start();
    return this;
  }

  /** Has all its duties performed soon. */
  public void wake() {
    duties.forEach(Duty::wake);
  }

  /** A duty is marked before this looks, and the wait is before the marks are read. */
  private void unpark() {
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
  public void close(Duration atMost) {
    stop();
    if (Thread.currentThread() != thread) {
      join(atMost);
    }
  }

  /** Ends after the pass that runs, without waiting for it: for passes that may block for long. */
  public void stop() {
    stopped = true;
    unpark();
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
    return running == null || !thread.isAlive()
        ? Duration.ZERO
        : Duration.ofNanos(System.nanoTime() - passBegan);
  }

  /** The duty whose pass runs, or else the loop itself. */
  String running() {
    Duty now = running;
    return now == null ? name : now.name();
  }

  /** Asks the pass that runs to give up. */
  void interrupt() {
    thread.interrupt();
  }

  /**
   * Goes on with a new thread. The old one, if it still lives, ends after its pass, which nobody
   * repeats before that.
   */
  void restart() {
    passBegan = System.nanoTime();
    Thread before = thread;
    running = null;
    thread = newThread();
    try {
      thread.start();
    } catch (RuntimeException | Error e) { // no thread is free: dead until the watchdog tries again
      thread = before;
      throw e;
    }
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
      for (Duty duty : duties) {
        if (isCurrent() && duty.dueIn(System.nanoTime()) == 0) {
          perform(duty);
        }
      }
      if (isCurrent()) {
        await();
      }
    }
  }

  private void perform(Duty duty) {
    passBegan = System.nanoTime();
    running = duty;
    try {
      duty.perform();
    } finally {
      Thread.interrupted(); // an interrupt was for this pass
      if (isCurrent()) {
        running = null;
      } else {
        LockSupport.unpark(thread); // which did not know when this would be due again
      }
    }
  }

  private boolean isCurrent() {
    return !stopped && Thread.currentThread() == thread;
  }

  private void await() {
    waiting = true; // before the duties are read: a later mark sees it and unparks
    for (long left = untilDue(); isCurrent() && left > 0; left = untilDue()) {
      LockSupport.parkNanos(this, left);
      Thread.interrupted(); // or it would not wait at all
    }
    waiting = false;
  }

  private long untilDue() {
    long now = System.nanoTime();
    long soonest = Long.MAX_VALUE;
    for (Duty duty : duties) {
      soonest = Math.min(soonest, duty.dueIn(now));
    }
    return soonest;
  }
}
