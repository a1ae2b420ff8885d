package dev.standpipe;

/** Why a run was halted. */
public enum HaltReason {
  /** A step failed and had no retries left, or its failure was not one to retry. */
  RETRIES_EXHAUSTED,
  /** A step's body said that no retry can help; see {@link Fail}. */
  FAILED_NOW,
  /** A step's value could not be written or read. */
  INVALID_VALUE,
  /** A divert's selector named no arm, and the divert has no otherwise. */
  UNMATCHED_DIVERT,
  /** An expand yielded more elements than its limit allows. */
  FAN_OUT_LIMIT,
  /** A loop asked for more turns than its limit allows. */
  LOOP_LIMIT,
  /** The run's deadline has passed; see {@link RunOptions#deadline}. */
  DEADLINE,
  /** An await got no signal in time, and has nothing to go on with. */
  SIGNAL_EXPIRED,
  /** A run that a step has called did not succeed. */
  CALL_FAILED,
  /** The processes that held a step kept dying: the step is in quarantine. */
  QUARANTINED,
  /** An operator canceled the run; its status is {@link RunStatus#CANCELED}. */
  CANCELED,
  /** A run that it waited for did not succeed; its status is {@link RunStatus#SKIPPED}. */
  SKIPPED
}
