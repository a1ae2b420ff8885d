package dev.standpipe;

import dev.standpipe.info.RunInfo;

/** Where a run is in its life. */
public enum RunStatus {
  /** It waits for other runs to succeed, and has not begun. */
  WAITING,
  /** It has work to do, or waits for its turn. */
  RUNNING,
  /** An operator holds it up: nothing new of it starts until it is resumed. */
  PAUSED,
  /** A step failed for good: nothing new starts, what runs is let finish. */
  HALTING,
  /** A step has ended it early, as a success: its other steps are being dropped. */
  FINISHING,
  /**
   * Every step succeeded or was skipped, or one of them ended the run; see {@link
   * StepContext#finishRun}.
   */
  SUCCEEDED,
  /** It was stopped by a failure; {@link RunInfo#haltReason()} says which. */
  HALTED,
  /** It came to its end, though steps have failed; {@link RunInfo#haltNode()} is the first. */
  FAILED,
  /** An operator cancels it: nothing new starts, what runs is interrupted and then cut off. */
  CANCELING,
  /** An operator stopped it; {@link RunInfo#cancellation()} says who and why. */
  CANCELED,
  /** A run it waited for did not succeed: it never began. */
  SKIPPED,
  /** It has ended without success, and what its steps have done is being undone. */
  COMPENSATING,
  /** It has ended without success, and what its steps had done is undone. */
  COMPENSATED,
  /** It has ended without success, and not all that its steps had done could be undone. */
  COMPENSATION_FAILED;

  /** Whether nothing will change any more. */
  public boolean isTerminal() {
    return switch (this) {
      case SUCCEEDED, HALTED, FAILED, CANCELED, SKIPPED, COMPENSATED, COMPENSATION_FAILED -> true;
      case WAITING, RUNNING, PAUSED, HALTING, FINISHING, CANCELING, COMPENSATING -> false;
    };
  }
}
