package dev.standpipe;

/** Why a run was halted. */
public enum HaltReason {
  /** A step failed and had no retries left, or its failure was not one to retry. */
  RETRIES_EXHAUSTED,
  /** A step's value could not be written or read. */
  INVALID_VALUE,
  /** A divert's selector named no arm, and the divert has no otherwise. */
  UNMATCHED_DIVERT,
  /** An expand yielded more elements than its limit allows. */
  FAN_OUT_LIMIT,
  /** The processes that held a step kept dying: the step is in quarantine. */
  QUARANTINED,
  /** An operator canceled the run; its status is {@link RunStatus#CANCELED}. */
  CANCELED
}
