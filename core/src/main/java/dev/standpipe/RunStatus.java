package dev.standpipe;

/** Where a run is in its life. */
public enum RunStatus {
  /** It waits for other runs to succeed, and has not begun. */
  WAITING,
  /** It has work to do, or waits for its turn. */
  RUNNING,
  /** A step failed for good: nothing new starts, what runs is let finish. */
  HALTING,
  /** Every step succeeded or was skipped. */
  SUCCEEDED,
  /** It was stopped by a failure; {@link RunInfo#haltReason()} says which. */
  HALTED,
  /** An operator cancels it: nothing new starts, what runs is interrupted and then cut off. */
  CANCELING,
  /** An operator stopped it; {@link RunInfo#cancellation()} says who and why. */
  CANCELED,
  /** A run it waited for did not succeed: it never began. */
  SKIPPED;

  /** Whether nothing will change any more. */
  public boolean isTerminal() {
    return this == SUCCEEDED || this == HALTED || this == CANCELED || this == SKIPPED;
  }
}
