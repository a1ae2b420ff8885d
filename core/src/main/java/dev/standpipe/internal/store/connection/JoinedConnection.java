package dev.standpipe.internal.store.connection;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import java.sql.Connection;
import java.sql.SQLException;

/** The caller's own connection, in the caller's own transaction. */
public final class JoinedConnection implements Connections {
  private final EngineLink link;

  private JoinedConnection(EngineLink link) {
    this.link = link;
  }

  /**
   * Uses this connection and leaves its transaction open.
   *
   * @throws StandpipeException if there is no transaction: each statement would be one by itself
   */
  public JoinedConnection(Connection connection) {
    this(new JoinedLink(connection));
    if (commitsByItself(connection)) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "The connection is in auto-commit mode, so there is no transaction to join. Call"
              + " setAutoCommit(false) on it first and commit() after, or start the run without a"
              + " connection.");
    }
  }

  /** Uses a connection in the engine's hands, on which a transaction has begun. */
  public static JoinedConnection on(EngineLink link) {
    return new JoinedConnection(link);
  }

  private static boolean commitsByItself(Connection connection) {
    try {
      return connection.getAutoCommit();
    } catch (SQLException e) {
      throw new StoreException(StoreFailure.CONNECTION, e);
    }
  }

  @Override
  public <T> T use(LinkWork<T> work) throws SQLException {
    return work.on(link);
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
