package dev.standpipe.bench.server;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** A session that holds a snapshot open: nothing that dies after it can be vacuumed. */
public record Snapshot(Connection connection) implements AutoCloseable {
  /** Takes one. */
  public static Snapshot of(String url) throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = connection.createStatement()) {
      statement.executeQuery("select count(*) from pg_class").close();
    }
    return new Snapshot(connection);
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
