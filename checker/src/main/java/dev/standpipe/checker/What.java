package dev.standpipe.checker;

/** What a line of a history says. */
public enum What {
  /** A start returned: the run is promised to end. */
  ACKNOWLEDGED,
  /** A body began. */
  STARTED,
  /** A body returned or threw. */
  ENDED,
  /** A body was interrupted. */
  INTERRUPTED,
  /** A success was committed. */
  ACCEPTED,
  /** A failed try was committed. */
  FAILED,
  /** An outcome was refused. */
  STALE,
  /** A try was given back. */
  RELEASED,
  /** A run ended, and this process is the one that ended it. */
  RUN_ENDED
}
