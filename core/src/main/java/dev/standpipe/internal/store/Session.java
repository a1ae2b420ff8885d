package dev.standpipe.internal.store;

import java.sql.Connection;

/** A connection on which named statements are run. Lives as long as one piece of work. */
final class Session {
  private final Connection connection;
  private final Dialect dialect;
  private final Sql sql;

  Session(Connection connection, Dialect dialect, Sql sql) {
    this.connection = connection;
    this.dialect = dialect;
    this.sql = sql;
  }

  /** Prepares the statement of this name. */
  Query query(String name) {
    return new Query(connection, dialect, sql.get(name));
  }
}
