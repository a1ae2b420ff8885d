package dev.standpipe.error;

/** What went wrong, for programs. The exception's message says it for people. */
public enum ErrorCode {
  /** A pipeline's definition has mistakes. */
  INVALID_DEFINITION(false),
  /** Two different pipelines under one name. */
  DUPLICATE_PIPELINE(false),
  /** No pipeline of this name was ever served on this database. */
  UNKNOWN_PIPELINE(false),
  /** No run of this id. */
  UNKNOWN_RUN(false),
  /** The key belongs to a run with another input. */
  DUPLICATE_KEY(false),
  /** The run ended, but not in success. */
  RUN_FAILED(false),
  /** The run did not end within the time given. */
  AWAIT_TIMEOUT(true),
  /** A value cannot be written as JSON, or JSON does not fit its type. */
  INVALID_VALUE(false),
  /** A divert's selector named no arm, and the divert has no otherwise. */
  UNMATCHED_DIVERT(false),
  /** An expand yielded more elements than its limit allows. */
  FAN_OUT_LIMIT(false),
  /** A loop asked for more turns than its limit allows. */
  LOOP_LIMIT(false),
  /** The key of a run's context has another value. */
  CONTEXT_KEY_TAKEN(false),
  /** The try that a body runs is over: its result is not wanted any more. */
  ATTEMPT_OVER(false),
  /** An await got no signal in time. */
  SIGNAL_EXPIRED(false),
  /** A run that a step has called did not succeed. */
  CALL_FAILED(false),
  /** The run awaits no signal of this key, or not for this element. */
  UNKNOWN_SIGNAL(false),
  /** The await has another signal, has expired or was skipped. */
  SIGNAL_REFUSED(false),
  /** A setting is out of range or not understood. */
  INVALID_SETTING(false),
  /** An argument of a call is missing or out of range. */
  INVALID_ARGUMENT(false),
  /** The step is not in quarantine. */
  NOT_QUARANTINED(false),
  /** The run has ended, and the call needs a run that has not. */
  RUN_ENDED(false),
  /** The run, pipeline or lane to resume is not paused. */
  NOT_PAUSED(false),
  /** The pipeline has no such definition. */
  UNKNOWN_LANE(false),
  /** There is no schedule of this name. */
  UNKNOWN_SCHEDULE(false),
  /** There is no sink of this name. */
  UNKNOWN_SINK(false),
  /** The body has ended, and what it asks for could not be committed with it any more. */
  STEP_ENDED(false),
  /** The run is not one that can be revived as asked for. */
  NOT_REVIVABLE(false),
  /** The run cannot be forked as asked for. */
  NOT_FORKABLE(false),
  /** The run has not ended yet: some of its steps are still running. */
  RUN_HALTING(true),
  /** The database cannot be reached. */
  DATABASE_UNREACHABLE(true),
  /** The database does not let this program in: its user, password or database is wrong. */
  DATABASE_LOGIN_REFUSED(false),
  /** The database takes no writes: it is a standby, or was made read-only. */
  DATABASE_READ_ONLY(true),
  /** The database's user lacks a right that Standpipe needs. */
  DATABASE_RIGHTS_MISSING(false),
  /** The pool, or the server, has no connection left. */
  CONNECTIONS_EXHAUSTED(true),
  /** The call lost a race with another transaction, or took too long. Nothing took effect. */
  DATABASE_CONFLICT(true),
  /** The database refused a statement. */
  DATABASE_ERROR(true),
  /** The database is of a kind, a version or an encoding that Standpipe cannot use. */
  UNSUPPORTED_DATABASE(false),
  /** The tables are missing, were made by a newer Standpipe, or others are in their place. */
  SCHEMA_MISMATCH(false),
  /** This Standpipe was built and not started yet. */
  NOT_STARTED(true),
  /** This Standpipe is closed. */
  CLOSED(false);

  private final boolean retryable;

  ErrorCode(boolean retryable) {
    this.retryable = retryable;
  }

  /** Whether the same call may succeed later without anything being changed. */
  public boolean isRetryable() {
    return retryable;
  }
}
