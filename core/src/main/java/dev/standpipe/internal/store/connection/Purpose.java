package dev.standpipe.internal.store.connection;

/** What a connection is used for, which decides how its statements are planned. */
public enum Purpose {
  /**
   * The engine's own statements, few and always the same: their plans are made once and never scan
   * a whole table, since tables are often all but empty when a plan is made, and full when it is
   * used.
   */
  WORK,
  /** What callers ask for: planned as the server sees fit. */
  CALLS
}
