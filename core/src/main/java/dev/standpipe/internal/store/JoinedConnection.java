package dev.standpipe.internal.store;

import java.sql.Connection;
import java.sql.SQLException;

/** The caller's own connection, in the caller's own transaction. */
public final class JoinedConnection implements Connections {
  private final Connection connection;

  /** Uses this connection and leaves its transaction open. */
  public JoinedConnection(Connection connection) {
    this.connection = connection;
  }

  @Override
  public <T> T use(Work<T> work) throws SQLException {
    return work.on(connection);
  }

  @Override
  public boolean joined() {
    return true;
  }

  @Override
  public void close() {
    // the caller's to close
  }
}
