package dev.standpipe.internal.store.connection;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Gives connections back to where they came from. */
public final class ConnectionReturn {
  private ConnectionReturn() {}

  /** Makes a connection what it was, or sees to it that nobody gets it as it is. */
  public static void restore(EngineLink link) {
    try {
      link.restore();
    } catch (SQLException | RuntimeException e) {
      abort(link.connection());
    }
  }

  /** Restores a connection and gives it back. */
  public static void giveBack(EngineLink link) {
    restore(link);
    close(link.connection());
  }

  /** Gives a connection back that is of no use any more: its pool is to make another. */
  public static void discard(EngineLink link) {
    abort(link.connection());
    close(link.connection());
  }

  /**
   * Gets rid of a connection for good. To close one that came from a pool gives it back, and the
   * next borrower gets the same: to a server that is now a standby, say. So it is aborted, and
   * asked for something, which fails in a way that every pool knows a broken connection by.
   */
  static void abort(Connection connection) {
    try {
      connection.abort(Runnable::run);
      try (Statement statement = connection.createStatement()) {
        statement.isClosed();
      }
    } catch (SQLException | RuntimeException e) {
      // aborted, or of a driver that cannot: to close it is all that is left
    }
  }

  /** Closes a connection, whatever comes of it. */
  public static void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      // it is of no use any more, or its pool is; some pools that are closed throw anything
    }
  }
}
