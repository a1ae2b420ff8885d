package dev.standpipe.internal.simulation;

import java.time.Duration;

/** Time as it passes in a simulation, and the database's clock, which may be put wrong. */
public final class SimTime {
  private static final long BEGINNING = Duration.ofDays(1000).toNanos();

  private long now = BEGINNING;
  private long databaseIsAhead;
  private boolean disturbed;
  private Duration jumped = Duration.ZERO;

  long now() {
    return now;
  }

  public void pass(Duration time) {
    now += time.toNanos();
  }

  /** What the database takes the time for, in seconds since 1970. */
  double databaseSeconds() {
    return Duration.ofNanos(now + databaseIsAhead).toMillis() / 1e3;
  }

  void databaseJumps(Duration by) {
    databaseIsAhead += by.toNanos();
    disturb(by);
  }

  /** Notes that clocks no longer agree on how much time has passed. */
  void disturb(Duration by) {
    disturbed = true;
    jumped = jumped.plus(by.abs());
  }

  boolean isDisturbed() {
    return disturbed;
  }

  /** How far clocks have jumped, all jumps together. */
  Duration jumped() {
    return jumped;
  }

  @Override
  public String toString() {
    return "%9.3f".formatted((now - BEGINNING) / 1e9);
  }
}
