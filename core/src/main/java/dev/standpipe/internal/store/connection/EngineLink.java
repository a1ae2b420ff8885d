package dev.standpipe.internal.store.connection;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A connection in the engine's hands: how statements and transactions are run on it so that nothing
 * of it is left when it goes back to where it came from. Not thread-safe.
 */
public interface EngineLink {
  /** The connection itself. */
  Connection connection();

  /** Prepares a statement. Outside a transaction, it is one by itself. */
  Prepared prepare(String sql) throws SQLException;

  /** Runs a statement without parameters in the transaction that has begun. */
  default void execute(String sql) throws SQLException {
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    }
  }

  /** Begins a transaction that will write. */
  void begin() throws SQLException;

  /** Begins a transaction that reads one snapshot and can write nothing. */
  void beginReading() throws SQLException;

  /** Commits what has begun. */
  void commit() throws SQLException;

  /** Rolls back what has begun. */
  void rollback() throws SQLException;

  /** Ends what {@link #beginReading} has begun. */
  default void endReading() throws SQLException {
    rollback();
  }

  /** Runs this before the connection goes back. */
  default void undoLater(String sql) {}

  /** Whether what is set on the connection stays until the connection goes back. */
  default boolean keepsSession() {
    return true;
  }

  /** Makes the connection what it was before. If that fails, it is of no use to anybody. */
  void restore() throws SQLException;

  /** A statement with its parameters to be set. */
  interface Prepared extends AutoCloseable {
    /** Where the parameters are set. */
    PreparedStatement statement();

    /** Runs it for its rows, which last until this is closed. */
    ResultSet rows() throws SQLException;

    /** Runs it for its effect; returns how many rows it touched. */
    int count() throws SQLException;

    @Override
    void close() throws SQLException;
  }

  /** A statement that is sent as it is. */
  record PlainStatement(PreparedStatement statement) implements Prepared {
    @Override
    public ResultSet rows() throws SQLException {
      return statement.executeQuery();
    }

    @Override
    public int count() throws SQLException {
      return statement.executeUpdate();
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
