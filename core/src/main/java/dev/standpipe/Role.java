package dev.standpipe;

/** Which part of the work a process does. */
public enum Role {
  /** Runs steps and does maintenance: what a single program wants. */
  ALL,
  /** Runs steps only; somewhere else a process must do maintenance. */
  WORKER,
  /**
   * Runs no steps, whatever it serves: recovers the work of dead processes and makes delayed and
   * retried steps ready when their time has come.
   */
  MAINTENANCE;

  /** Whether it runs steps. */
  public boolean works() {
    return this != MAINTENANCE;
  }

  /** Whether it does maintenance. */
  public boolean maintains() {
    return this != WORKER;
  }
}
