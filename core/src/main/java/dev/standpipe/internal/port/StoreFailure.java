package dev.standpipe.internal.port;

/** What a failed statement means for its sender. */
public enum StoreFailure {
  /** The connection broke: it is unknown whether the statement took effect. */
  CONNECTION,
  /** It lost a race (deadlock, lock or statement time-out): nothing took effect, try again. */
  TRANSIENT,
  /** The database refused a value: trying again does not help. */
  DATA,
  /** Anything else: nothing took effect. */
  OTHER
}
