package dev.standpipe.info;

/** How a try at a step ended. */
public enum AttemptOutcome {
  /** The body returned and its value was committed. */
  SUCCEEDED,
  /** The body threw, or its value could not be written. */
  FAILED,
  /** The body ran past the step's time-out. */
  TIMED_OUT,
  /** The body asked to be run again later, without having failed; no retry was used. */
  SNOOZED,
  /** The process that held it died or lost its lease. */
  CRASHED,
  /** The run was canceled, and the body had not ended when the grace was over. */
  CANCELED
}
