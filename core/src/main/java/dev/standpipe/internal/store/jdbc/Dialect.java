package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.port.Notifier;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.FileWatch;
import dev.standpipe.internal.store.connection.JoinedLink;
import dev.standpipe.internal.store.connection.Purpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What differs between databases, and their versions, besides their SQL. Immutable. */
public interface Dialect {
  /** The name of its folder of SQL. */
  String name();

  /** A statement as this version of the database takes it. */
  default String adapted(String sql) {
    return sql;
  }

  /** What a user of this database must know beforehand, if there is something. */
  default Optional<String> caveat() {
    return Optional.empty();
  }

  /** Takes a connection for one piece of work of a caller's. Leaves it as it was if it throws. */
  EngineLink borrow(Connection connection) throws SQLException;

  /**
   * Takes a connection that is kept for a while. Leaves it as it was if it throws.
   *
   * @param patience how long to wait for an answer before the connection counts as dead, unless the
   *     connection came with less
   */
  EngineLink keep(Connection connection, Purpose purpose, Duration patience) throws SQLException;

  /** Takes a connection for reading only: what it is like is not changed at all. */
  default EngineLink look(Connection connection) throws SQLException {
    return borrow(connection);
  }

  /**
   * Takes a connection for a transaction that others write in as well: what is set on it does not
   * change their statements. Leaves it as it was if it throws.
   *
   * @param what what people call the work, for those who look at the database
   */
  default EngineLink transact(Connection connection, String what) throws SQLException {
    return borrow(connection);
  }

  /** Takes a connection for the engine's part of a transaction that others begin and end. */
  default EngineLink join(Connection connection) throws SQLException {
    return new JoinedLink(connection);
  }

  /** Refuses a database that nothing can be written to. */
  default void requireWritable(EngineLink link) throws SQLException {}

  /** What this database can do that another may not. */
  Set<Capability> capabilities();

  /** Whether this database can do that. */
  default boolean has(Capability capability) {
    return capabilities().contains(capability);
  }

  /** How its SQL takes sets of rows. */
  RowBinding rowBinding();

  /** Binds one value. */
  void bind(PreparedStatement statement, int position, @Nullable Object value) throws SQLException;

  /** Waits until no other process migrates the schema; holds until the transaction ends. */
  void lockSchema(EngineLink link) throws SQLException;

  /** How processes hint to each other that there is work, if the database can carry that. */
  default Notifier notifier(Connections ringing, Connections listening, Tables tables) {
    return Notifier.SILENT;
  }

  /** What tells from the files of the database that somebody has written, if it has such files. */
  default FileWatch fileWatch() {
    return FileWatch.BLIND;
  }

  /** Refuses a place for the tables that this database cannot have. */
  default void check(Tables tables) {}

  /**
   * Whether another transaction won a race against it: it was taken back, and may be made again.
   */
  default boolean isConflict(SQLException error) {
    return false; // where one writes at a time, nobody loses
  }

  /** Whether a transaction that others write in as well lost a race, and may be made again. */
  default boolean mayBeRunAgain(SQLException error) {
    return isConflict(error);
  }

  /** What a failed statement means. */
  StoreFailure classify(SQLException error);
}
