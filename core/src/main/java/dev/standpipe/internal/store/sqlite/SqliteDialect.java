package dev.standpipe.internal.store.sqlite;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.Rows;
import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** What is particular to SQLite. */
public final class SqliteDialect implements Dialect {
  /** Run in one call, since this is done for every connection borrowed. */
  private static final String SETTINGS =
      "pragma busy_timeout = 30000; pragma journal_mode = wal; pragma synchronous = full";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(5);

  @Override
  public String name() {
    return "sqlite";
  }

  /**
   * Turning the write-ahead log on fails at once, whatever the time-out, if others are about to.
   */
  @Override
  public void prepare(Connection connection) throws SQLException {
    long begun = System.nanoTime();
    while (true) {
      try {
        execute(connection, SETTINGS);
        return;
      } catch (SQLException e) {
        if (primaryCode(e) != Code.BUSY || System.nanoTime() - begun > PATIENCE.toNanos()) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  @Override
  public void begin(Connection connection) throws SQLException {
    execute(connection, "begin immediate");
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    execute(connection, "commit");
  }

  @Override
  public void rollback(Connection connection) throws SQLException {
    execute(connection, "rollback");
  }

  @Override
  public void beginReading(Connection connection) throws SQLException {
    execute(connection, "pragma busy_timeout = 30000; pragma query_only = on; begin");
  }

  @Override
  public void endReading(Connection connection) throws SQLException {
    execute(connection, "rollback; pragma query_only = off");
  }

  @Override
  public boolean writesInOneStatement() {
    return false;
  }

  @Override
  public void bindColumn(PreparedStatement statement, int position, Rows rows, int column) {
    throw new UnsupportedOperationException("SQLite takes rows as JSON");
  }

  @Override
  public void bindRows(PreparedStatement statement, int position, Rows rows) throws SQLException {
    statement.setString(position, JsonRows.write(rows));
  }

  @Override
  public void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    statement.setObject(position, value instanceof UUID id ? id.toString() : value);
  }

  /** BEGIN IMMEDIATE has made this the only writer already. */
  @Override
  public void lockSchema(Connection connection) {}

  @Override
  public void check(Tables tables) {
    if (tables.schema().isPresent()) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING,
          "SQLite has no schemas: leave the schema out, and use a table prefix instead");
    }
  }

  @Override
  public boolean hasOneWriter() {
    return true;
  }

  /** By the primary result code; a failure without one comes from the driver or the pool. */
  @Override
  public SqlFailure classify(SQLException error) {
    return switch (primaryCode(error)) {
      case Code.NONE, Code.IOERR, Code.CANTOPEN -> SqlFailure.CONNECTION;
      case Code.BUSY, Code.LOCKED, Code.NOMEM, Code.INTERRUPT, Code.FULL, Code.PROTOCOL ->
          SqlFailure.TRANSIENT;
      case Code.TOOBIG, Code.MISMATCH -> SqlFailure.DATA;
      default -> SqlFailure.OTHER;
    };
  }

  private static int primaryCode(SQLException error) {
    return error.getErrorCode() & 0xff;
  }

  /** Runs one or several statements without parameters and without rows. */
  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** SQLite's primary result codes, as far as they matter here. */
  private static final class Code {
    static final int NONE = 0;
    static final int BUSY = 5;
    static final int LOCKED = 6;
    static final int NOMEM = 7;
    static final int INTERRUPT = 9;
    static final int IOERR = 10;
    static final int FULL = 13;
    static final int CANTOPEN = 14;
    static final int PROTOCOL = 15;
    static final int TOOBIG = 18;
    static final int MISMATCH = 20;
  }
}
