package dev.standpipe.internal.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.postgresql.PGConnection;
import org.postgresql.core.BaseConnection;
import org.postgresql.core.TransactionState;

/**
 * How the driver was set up on a connection when it came, so that it can be set up so again. None
 * of this needs the server, as long as nothing has to change.
 */
final class DriverState {
  private static final int LEAVE = -1;

  private final Connection connection;
  private final boolean autoCommit;
  private final int prepareThreshold;
  private final boolean sendsIds;
  private boolean readOnly;
  private int patience = LEAVE;

  private DriverState(Connection connection, boolean autoCommit, int prepareThreshold)
      throws SQLException {
    this.connection = connection;
    this.autoCommit = autoCommit;
    this.prepareThreshold = prepareThreshold;
    this.sendsIds = UuidArray.allow(connection);
  }

  /** Turns auto-commit on: every transaction here is begun and ended by a statement of ours. */
  static DriverState take(Connection connection) throws SQLException {
    boolean autoCommit = connection.getAutoCommit();
    if (!autoCommit) {
      requireNothingWritten(connection);
      connection.setAutoCommit(true);
    }
    int threshold =
        connection.isWrapperFor(PGConnection.class)
            ? connection.unwrap(PGConnection.class).getPrepareThreshold()
            : 0;
    return new DriverState(connection, autoCommit, threshold);
  }

  /**
   * Some pools hand out connections on which a test query has begun a transaction. One that has
   * written something is a caller's, and not ours to commit.
   */
  private static void requireNothingWritten(Connection connection) throws SQLException {
    if (connection.isWrapperFor(BaseConnection.class)
        && connection.unwrap(BaseConnection.class).getTransactionState() != TransactionState.IDLE) {
      try (Statement statement = connection.createStatement();
          var row = statement.executeQuery("select txid_current_if_assigned()")) {
        if (row.next() && row.getString(1) != null) {
          throw new SQLException(
              "The DataSource gave a connection with a transaction of the caller's in it. Give"
                  + " Standpipe the pool itself, and use start(connection, ...) to start a run in a"
                  + " transaction of your own",
              "25001");
        }
      }
    }
  }

  /** Statements that are sent once are not prepared on the server. */
  void prepareNothing() throws SQLException {
    setThreshold(0);
  }

  /** Statements that repeat for ever are prepared from the first use, unless they must not be. */
  boolean prepareAtOnce() throws SQLException {
    if (prepareThreshold == 0) {
      return false;
    }
    setThreshold(1);
    return true;
  }

  /** Waits so long for an answer, unless it would have waited for less; returns how long. */
  int patience(int millis) throws SQLException {
    int before = connection.getNetworkTimeout();
    int shortest = before > 0 ? Math.min(before, millis) : millis;
    connection.setNetworkTimeout(Runnable::run, shortest);
    patience = before;
    return shortest;
  }

  /** The driver would begin transactions that can only read. */
  void readWrite() throws SQLException {
    if (connection.isReadOnly()) {
      connection.setReadOnly(false);
      readOnly = true;
    }
  }

  void restore() throws SQLException {
    setThreshold(prepareThreshold);
    if (!sendsIds) {
      UuidArray.disallow(connection);
    }
    if (readOnly) {
      connection.setReadOnly(true);
    }
    if (patience != LEAVE) {
      connection.setNetworkTimeout(Runnable::run, patience);
    }
    if (connection.getAutoCommit() != autoCommit) {
      connection.setAutoCommit(autoCommit);
    }
  }

  private void setThreshold(int threshold) throws SQLException {
    if (connection.isWrapperFor(PGConnection.class)) {
      connection.unwrap(PGConnection.class).setPrepareThreshold(threshold);
    }
  }
}
