package dev.standpipe.internal.store.jdbc;

/** What a database can do, or its tables have, that another's may not. */
public enum Capability {
  /**
   * One statement may write several tables. Without it, a transaction of several statements does
   * the same, in {@code MultiStatementTasks} and its neighbours.
   */
  ONE_STATEMENT_WRITES,

  /**
   * Several connections write at once, each waiting for the rows that another has locked. Without
   * it, a transaction that begins to write is the only one to write until it ends.
   */
  MANY_WRITERS,

  /**
   * Many tasks may share a row, of runs or elements that wait: decisions 019 and 020. Goes with
   * {@link #ONE_STATEMENT_WRITES}, whose classes share them.
   */
  SHARED_ROWS,

  /** Runs that are stopped are listed in a table of their own, {@code stopped}: decision 018. */
  STOPPED_LIST,

  /** Tells at next to no cost whether anybody has written since: {@code needs_version}. */
  CHANGE_VERSION,

  /** Tables and columns have comments in the database itself. */
  COMMENTS
}
