package dev.standpipe.internal.store.sqlite;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.FileWatch;
import dev.standpipe.internal.store.connection.Purpose;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.RowBinding;
import dev.standpipe.internal.store.jdbc.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is particular to SQLite. */
public final class SqliteDialect implements Dialect {
  /** Run in one call, since this is done for every connection borrowed. */
  private static final String SETTINGS =
      "pragma busy_timeout = 30000; pragma journal_mode = wal; pragma synchronous = full";

  /** The first with fractions of a second in {@code unixepoch}. */
  private static final int OLDEST = 3_042;

  /** The first with {@code jsonb_each}. */
  private static final int EXPANDS_BINARY_JSON = 3_051;

  private static final Pattern VERSION = Pattern.compile("^(\\d+)\\.(\\d+)");
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(5);

  private static final RowBinding.Whole AS_JSON =
      (statement, position, rows) -> statement.setString(position, JsonRows.write(rows));

  private final boolean expandsBinaryJson;

  /** For the version this was built with. */
  public SqliteDialect() {
    this(true);
  }

  private SqliteDialect(boolean expandsBinaryJson) {
    this.expandsBinaryJson = expandsBinaryJson;
  }

  /** The dialect of the driver's SQLite; refuses one that is too old, and a database in memory. */
  public static SqliteDialect of(Connection connection) throws SQLException {
    String version = connection.getMetaData().getDatabaseProductVersion();
    int number = number(version);
    if (number < OLDEST) {
      throw new StandpipeException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "This is SQLite %s, and Standpipe needs 3.42 or newer: use a newer sqlite-jdbc. Nothing was changed."
              .formatted(version));
    }
    if (isInMemory(connection)) {
      throw new StandpipeException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "This SQLite database is in memory, where every connection has one of its own and loses it: use a file, such as jdbc:sqlite:standpipe.db, in a test a temporary one.");
    }
    return new SqliteDialect(number >= EXPANDS_BINARY_JSON);
  }

  /** 3.49.1 as 3049. */
  private static int number(String version) {
    Matcher matcher = VERSION.matcher(version);
    return matcher.find()
        ? 1000 * Integer.parseInt(matcher.group(1)) + Integer.parseInt(matcher.group(2))
        : 0;
  }

  private static boolean isInMemory(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("pragma database_list")) {
      while (row.next()) {
        if (row.getString("name").equals("main")) {
          String file = row.getString("file");
          return file == null || file.isEmpty();
        }
      }
      return false;
    }
  }

  /** What is written as rows is read in the same way from text, only slower. */
  @Override
  public String adapted(String sql) {
    return expandsBinaryJson ? sql : sql.replace("jsonb_each(", "json_each(");
  }

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public EngineLink borrow(Connection connection) throws SQLException {
    SqliteLink link = SqliteLink.on(connection);
    setUp(link);
    return link;
  }

  /** Leaves the journal of the file as it is. */
  @Override
  public EngineLink look(Connection connection) throws SQLException {
    SqliteLink link = SqliteLink.on(connection);
    link.execute("pragma busy_timeout = 30000");
    return link;
  }

  @Override
  public EngineLink keep(Connection connection, Purpose purpose, Duration patience)
      throws SQLException {
    return borrow(connection);
  }

  /**
   * Turning the write-ahead log on fails at once, whatever the time-out, if others are about to.
   */
  private static void setUp(EngineLink link) throws SQLException {
    long begun = System.nanoTime();
    while (true) {
      try {
        link.execute(SETTINGS);
        return;
      } catch (SQLException e) {
        if (primaryCode(e) != Code.BUSY || System.nanoTime() - begun > PATIENCE.toNanos()) {
          link.restore();
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return Set.of(Capability.CHANGE_VERSION);
  }

  @Override
  public RowBinding rowBinding() {
    return AS_JSON;
  }

  @Override
  public void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    statement.setObject(position, value instanceof UUID id ? id.toString() : value);
  }

  /** BEGIN IMMEDIATE has made this the only writer already. */
  @Override
  public void lockSchema(EngineLink link) {}

  @Override
  public void check(Tables tables) {
    if (tables.schema().isPresent()) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING,
          "SQLite has no schemas: leave the schema out, and use a table prefix instead");
    }
    if (tables.prefix().startsWith("sqlite_")) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING,
          "SQLite keeps names that start with sqlite_ for itself: use another table prefix");
    }
  }

  @Override
  public FileWatch fileWatch() {
    return new WalWatch();
  }

  /** A body may begin to write in a way that does not wait, or has read what others then wrote. */
  @Override
  public boolean mayBeRunAgain(SQLException error) {
    return primaryCode(error) == Code.BUSY || primaryCode(error) == Code.LOCKED;
  }

  /** By the primary result code; a failure without one comes from the driver or the pool. */
  @Override
  public StoreFailure classify(SQLException error) {
    return switch (primaryCode(error)) {
      case Code.NONE, Code.IOERR, Code.CANTOPEN -> StoreFailure.CONNECTION;
      case Code.BUSY, Code.LOCKED, Code.NOMEM, Code.INTERRUPT, Code.FULL, Code.PROTOCOL ->
          StoreFailure.TRANSIENT;
      case Code.TOOBIG, Code.MISMATCH -> StoreFailure.DATA;
      default -> StoreFailure.OTHER;
    };
  }

  private static int primaryCode(SQLException error) {
    return error.getErrorCode() & 0xff;
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
