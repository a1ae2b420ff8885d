package dev.standpipe.internal.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** What differs between databases besides their SQL. Stateless. */
public interface Dialect {
  /** The name of its folder of SQL. */
  String name();

  /** Makes a connection fit for use; called whenever one is borrowed or opened. */
  void prepare(Connection connection) throws SQLException;

  /**
   * Prepares a connection that is kept, and used for nothing but the engine's own statements.
   *
   * @param patience how long to wait for an answer before the connection counts as dead, unless the
   *     connection came with less
   * @return the milliseconds it waited for an answer before, which {@link #disown} restores
   */
  default int adopt(Connection connection, Duration patience) throws SQLException {
    prepare(connection);
    return 0;
  }

  /** Undoes {@link #adopt} before the connection goes back to where it came from. */
  default void disown(Connection connection, int patienceBefore) throws SQLException {}

  /** Begins a transaction that will write. */
  void begin(Connection connection) throws SQLException;

  /** Commits it. */
  void commit(Connection connection) throws SQLException;

  /** Rolls it back. */
  void rollback(Connection connection) throws SQLException;

  /** Begins a transaction that reads one snapshot and can write nothing. */
  void beginReading(Connection connection) throws SQLException;

  /** Ends it. */
  void endReading(Connection connection) throws SQLException;

  /** Whether a single statement may do several tables' writes. */
  boolean writesInOneStatement();

  /** Binds one column of a set of rows. */
  void bindColumn(PreparedStatement statement, int position, Rows rows, int column)
      throws SQLException;

  /** Binds a set of rows as a whole. */
  void bindRows(PreparedStatement statement, int position, Rows rows) throws SQLException;

  /** Binds one value. */
  void bind(PreparedStatement statement, int position, @Nullable Object value) throws SQLException;

  /** Waits until no other process migrates the schema; holds until the transaction ends. */
  void lockSchema(Connection connection) throws SQLException;

  /** How processes hint to each other that there is work, if the database can carry that. */
  default Bell bell(DataSource source, Tables tables) {
    return Bell.SILENT;
  }

  /** Whether only one connection at a time can write. */
  boolean hasOneWriter();

  /** Refuses a place for the tables that this database cannot have. */
  default void check(Tables tables) {}

  /** What a failed statement means. */
  SqlFailure classify(SQLException error);
}
