package dev.standpipe.cli.demo;

import static dev.standpipe.cli.demo.Words.counted;

import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** What befalls the workers: one is killed, another frozen until its lease has run out. */
final class Mishaps {
  private static final double KILL_AT = 0.20;
  private static final double FREEZE_AT = 0.40;
  private static final int FREEZES = 3;
  private static final Duration TAKEOVER = DemoWorkerCommand.LEASE.multipliedBy(5);
  private static final Duration SETTLE = Duration.ofMillis(500);
  private static final Duration LATE_WRITES = Duration.ofSeconds(3);

  private final Workers workers;
  private final DemoTables tables;
  private final Monitor monitor;
  private final Screen screen;

  Mishaps(Workers workers, DemoTables tables, Monitor monitor, Screen screen) {
    this.workers = workers;
    this.tables = tables;
    this.monitor = monitor;
    this.screen = screen;
  }

  /** Lets them happen, as far as there is work left to be disturbed. */
  void happen() throws InterruptedException {
    boolean happened = monitor.awaitFraction(KILL_AT) && killOne();
    happened = happened && monitor.awaitFraction(FREEZE_AT) && freezeOne();
    if (!happened) {
      screen.say("the work was done before all workers could be disturbed; try more --orders");
    }
  }

  private boolean killOne() throws InterruptedException {
    if (!monitor.awaitUnlessComplete(() -> busiest().isPresent())) {
      return false;
    }
    WorkerProcess victim = busiest().orElse(workers.serving().get(0));
    victim.kill();
    int held = heldBy(victim); // the dead keep what they hold until their lease runs out
    screen.say(
        "%s killed (SIGKILL) while it held %s".formatted(victim.title(), counted(held, "step")));
    screen.say("%s started in its place".formatted(workers.start().title()));
    return true;
  }

  /** Once more if it was between two steps and had nothing to write when it came back. */
  private boolean freezeOne() throws InterruptedException {
    int lateWrites = 0;
    for (int i = 0; i < FREEZES && lateWrites == 0; i++) {
      Optional<WorkerProcess> frozen = Optional.empty();
      while (frozen.isEmpty()) {
        if (!monitor.awaitUnlessComplete(
            () -> busiest().isPresent() && workers.serving().size() > 1)) {
          return i > 0;
        }
        frozen = busiest().filter(this::holdsStill);
      }
      lateWrites = watchFrozen(frozen.get());
    }
    return true;
  }

  /** Returns how many of its writes came late. */
  private int watchFrozen(WorkerProcess victim) throws InterruptedException {
    int takeovers = workers.takeovers(victim);
    int staleWrites = victim.staleWrites();
    screen.say(
        "%s frozen (SIGSTOP) while it held %s"
            .formatted(victim.title(), counted(heldBy(victim), "step")));
    boolean takenOver = monitor.await(() -> workers.takeovers(victim) > takeovers, TAKEOVER);
    pause();
    victim.thaw();
    monitor.await(() -> victim.staleWrites() > staleWrites, LATE_WRITES);
    pause();
    int lateWrites = victim.staleWrites() - staleWrites;
    screen.say(
        "%s thawed%s: %s refused"
            .formatted(
                victim.title(),
                takenOver ? "" : ", though nobody had taken over",
                counted(lateWrites, "late write")));
    return lateWrites;
  }

  /** Freezes it, and thaws it at once if that hit it idle or with the database locked. */
  private boolean holdsStill(WorkerProcess worker) {
    try {
      worker.freeze();
      if (heldBy(worker) > 0 && tables.isWritable()) {
        return true;
      }
      worker.thaw();
      return false;
    } catch (InterruptedException | SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The one that holds the most steps, if any holds some. */
  private Optional<WorkerProcess> busiest() {
    Optional<WorkerProcess> busiest = Optional.empty();
    int most = 0;
    for (WorkerProcess worker : workers.serving()) {
      int held = heldBy(worker);
      if (held > most) {
        most = held;
        busiest = Optional.of(worker);
      }
    }
    return busiest;
  }

  private int heldBy(WorkerProcess worker) {
    try {
      return tables.heldBy(worker.name());
    } catch (SQLException e) {
      return 0;
    }
  }

  private void pause() {
    monitor.await(() -> false, SETTLE);
  }
}
