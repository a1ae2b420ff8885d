package dev.standpipe.cli.demo;

import dev.standpipe.cli.CommandFailure;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Reads the progress from the database again and again, shows it, and waits for it. */
final class Monitor implements AutoCloseable {
  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(100);
  private static final Duration STALL = Duration.ofSeconds(30);
  private static final long POLL = TimeUnit.MILLISECONDS.toNanos(20);

  private final List<Order> orders;
  private final DemoTables tables;
  private final Workers workers;
  private final Screen screen;
  private final Thread thread = new Thread(this::watch, "demo-monitor");
  private volatile boolean closed;
  private volatile Progress progress;
  private volatile long movedAt = System.nanoTime();
  private volatile String lastError = "";

  Monitor(List<Order> orders, DemoTables tables, Workers workers, Screen screen) {
    this.orders = orders;
    this.tables = tables;
    this.workers = workers;
    this.screen = screen;
    this.progress = Progress.none(orders);
  }

  Monitor start() {
    thread.setDaemon(true);
    thread.start();
    return this;
  }

  /** Waits until so much is done; {@code false} if everything is. */
  boolean awaitFraction(double fraction) {
    awaitUnlessComplete(() -> progress.fraction() >= fraction);
    return !isComplete();
  }

  /** Waits until this holds; {@code false} if everything is done before it does. */
  boolean awaitUnlessComplete(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      if (isComplete()) {
        return false;
      }
      requireMoving();
      LockSupport.parkNanos(POLL);
    }
    return true;
  }

  /** Waits until this holds, for so long at most. */
  boolean await(BooleanSupplier condition, Duration atMost) {
    long deadline = System.nanoTime() + atMost.toNanos();
    while (!condition.getAsBoolean()) {
      if (deadline - System.nanoTime() <= 0) {
        return false;
      }
      requireMoving();
      LockSupport.parkNanos(POLL);
    }
    return true;
  }

  boolean isComplete() {
    return progress.isComplete();
  }

  private void requireMoving() {
    workers.requireNoneFailed();
    if (Thread.currentThread().isInterrupted()) {
      throw new CommandFailure(CommandFailure.FAILED, "Interrupted.");
    }
    if (!isComplete() && System.nanoTime() - movedAt > STALL.toNanos()) {
      throw new CommandFailure(
          CommandFailure.FAILED,
          "Nothing has moved for %d s, with %d runs unfinished. %s"
              .formatted(STALL.toSeconds(), progress.runsLeft(), lastError)
              .strip());
    }
  }

  private void watch() {
    while (!closed) {
      look();
      LockSupport.parkNanos(INTERVAL);
    }
  }

  private void look() {
    try {
      var runs = tables.runs();
      int ended = runs.getOrDefault("succeeded", 0) + runs.getOrDefault("halted", 0);
      Progress now = Progress.of(orders, tables.succeeded(), orders.size() - ended);
      if (!now.equals(progress)) {
        movedAt = System.nanoTime();
      }
      progress = now;
      screen.show(now);
    } catch (SQLException e) {
      lastError = "The database said: " + e.getMessage();
    }
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
  }
}
