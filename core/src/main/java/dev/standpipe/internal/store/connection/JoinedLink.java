package dev.standpipe.internal.store.connection;

import java.sql.Connection;
import java.sql.SQLException;

/** The caller's own connection, in the caller's own transaction: used as it is. */
public record JoinedLink(Connection connection) implements EngineLink {
  @Override
  public Prepared prepare(String sql) throws SQLException {
    return new PlainStatement(connection.prepareStatement(sql));
  }

  @Override
  public void begin() {
    throw notOurs();
  }

  @Override
  public void beginReading() {
    throw notOurs();
  }

  @Override
  public void commit() {
    throw notOurs();
  }

  @Override
  public void rollback() {
    throw notOurs();
  }

  @Override
  public void restore() {}

  private static IllegalStateException notOurs() {
    return new IllegalStateException("The transaction is the caller's");
  }
}
