package dev.standpipe.internal.store.sqlite;

import dev.standpipe.internal.store.connection.EngineLink;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A connection to an SQLite file. Its transactions begin and end by statements. */
final class SqliteLink implements EngineLink {
  private final Connection connection;
  private final boolean autoCommit;
  private final int busyTimeout;
  private final int synchronous;

  private SqliteLink(Connection connection, boolean autoCommit) throws SQLException {
    this.connection = connection;
    this.autoCommit = autoCommit;
    this.busyTimeout = pragma("busy_timeout");
    this.synchronous = pragma("synchronous");
  }

  /** Remembers what the connection was like. */
  static SqliteLink on(Connection connection) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      connection.setAutoCommit(true);
    }
    return new SqliteLink(connection, autoCommit);
  }

  private int pragma(String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma " + name)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Prepared prepare(String sql) throws SQLException {
    return new PlainStatement(connection.prepareStatement(sql));
  }

  /** Runs one or several statements without parameters and without rows. */
  @Override
  public void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  @Override
  public void begin() throws SQLException {
    execute("begin immediate");
  }

  @Override
  public void beginReading() throws SQLException {
    execute("pragma query_only = on; begin");
  }

  @Override
  public void commit() throws SQLException {
    if (connection.getAutoCommit()) {
      execute("commit");
    } else {
      connection.setAutoCommit(true); // a savepoint has turned it off; this commits
    }
  }

  @Override
  public void rollback() throws SQLException {
    if (connection.getAutoCommit()) {
      execute("rollback");
    } else {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  @Override
  public void endReading() throws SQLException {
    execute("rollback; pragma query_only = off");
  }

  @Override
  public void restore() throws SQLException {
    execute(
        "pragma synchronous = %d; pragma busy_timeout = %d".formatted(synchronous, busyTimeout));
    if (!autoCommit) {
      connection.setAutoCommit(false);
    }
  }
}
