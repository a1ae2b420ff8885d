package dev.standpipe;

/** Where a run is in its life. */
public enum RunStatus {
  /** It has work to do, or waits for its turn. */
  RUNNING,
  /** A step failed for good: nothing new starts, what runs is let finish. */
  HALTING,
  /** A step has ended it early, as a success: what is left of it is being dropped. */
  FINISHING,
  /**
   * Every step succeeded or was skipped, or one of them ended the run; see {@link
   * StepContext#finishRun}.
   */
  SUCCEEDED,
  /** It was stopped by a failure; {@link RunInfo#haltReason()} says which. */
  HALTED,
  /** An operator cancels it: nothing new starts, what runs is interrupted and then cut off. */
  CANCELING,
  /** An operator stopped it; {@link RunInfo#cancellation()} says who and why. */
  CANCELED;

  /** Whether nothing will change any more. */
  public boolean isTerminal() {
    return this == SUCCEEDED || this == HALTED || this == CANCELED;
  }
}
