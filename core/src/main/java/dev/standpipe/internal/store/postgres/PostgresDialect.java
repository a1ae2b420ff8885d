package dev.standpipe.internal.store.postgres;

import static dev.standpipe.internal.store.jdbc.Capability.COMMENTS;
import static dev.standpipe.internal.store.jdbc.Capability.MANY_WRITERS;
import static dev.standpipe.internal.store.jdbc.Capability.ONE_STATEMENT_WRITES;
import static dev.standpipe.internal.store.jdbc.Capability.SHARED_ROWS;
import static dev.standpipe.internal.store.jdbc.Capability.STOPPED_LIST;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.Notifier;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.Purpose;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.RowBinding;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is particular to PostgreSQL. */
public final class PostgresDialect implements Dialect {
  private static final int OLDEST = 13;
  private static final Set<Capability> CAPABILITIES =
      Set.of(ONE_STATEMENT_WRITES, MANY_WRITERS, SHARED_ROWS, STOPPED_LIST, COMMENTS);
  private static final long SCHEMA_LOCK = 0x5374616e64706970L;
  private static final String WRITABLE =
      "select current_setting('transaction_read_only')::boolean as read_only, pg_is_in_recovery() as"
          + " standby";

  private final ServerEncoding encoding;
  private final RowBinding.ByColumn byColumn;

  /** For a database that takes every character. */
  public PostgresDialect() {
    this(ServerEncoding.UTF8);
  }

  private PostgresDialect(ServerEncoding encoding) {
    this.encoding = encoding;
    this.byColumn = this::bindColumn;
  }

  /** The dialect of the server at the other end; refuses one that is too old. */
  public static PostgresDialect of(Connection connection) throws SQLException {
    int version = connection.getMetaData().getDatabaseMajorVersion();
    if (version < OLDEST) {
      throw new StandpipeException(
          ErrorCode.UNSUPPORTED_DATABASE,
          "This is PostgreSQL %d, and Standpipe needs %d or newer: upgrade the server. Nothing was changed."
              .formatted(version, OLDEST));
    }
    return new PostgresDialect(ServerEncoding.of(connection));
  }

  @Override
  public Optional<String> caveat() {
    return encoding.caveat();
  }

  @Override
  public String name() {
    return "postgres";
  }

  @Override
  public EngineLink borrow(Connection connection) throws SQLException {
    DriverState state = DriverState.take(connection);
    return FramedLink.on(connection, state, Purpose.CALLS);
  }

  @Override
  public EngineLink keep(Connection connection, Purpose purpose, Duration patience)
      throws SQLException {
    return SessionLink.on(connection, purpose, patience);
  }

  @Override
  public EngineLink transact(Connection connection, String what) throws SQLException {
    return BodyLink.on(connection, what);
  }

  @Override
  public EngineLink join(Connection connection) throws SQLException {
    return BodyLink.joining(connection);
  }

  /** A standby becomes writable some day; a read-only default is for somebody to change. */
  @Override
  public void requireWritable(EngineLink link) throws SQLException {
    try (EngineLink.Prepared look = link.prepare(WRITABLE);
        ResultSet row = look.rows()) {
      if (row.next() && row.getBoolean("read_only")) {
        if (row.getBoolean("standby")) {
          throw new SQLException("This is a standby, which cannot be written to", "25006");
        }
        throw new StandpipeException(
            ErrorCode.INVALID_SETTING,
            "Transactions are read-only by default here. Give Standpipe a role, a database or a"
                + " connection with default_transaction_read_only = off: it has to write.");
      }
    }
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  @Override
  public RowBinding rowBinding() {
    return byColumn;
  }

  /** All of them travel in binary, ids if the driver can: see {@link UuidArray}. */
  private void bindColumn(PreparedStatement statement, int position, Rows rows, int column)
      throws SQLException {
    String type = rows.type(column);
    if (type.equals("uuid")) {
      statement.setObject(position, new UuidArray(rows, column));
      return;
    }
    Object[] values =
        switch (type) {
          case "bigint" -> new Long[rows.size()];
          case "integer" -> new Integer[rows.size()];
          case "smallint" -> new Short[rows.size()];
          case "boolean" -> new Boolean[rows.size()];
          case "text", "prose" -> new String[rows.size()];
          default -> throw new IllegalArgumentException("No array of " + type);
        };
    for (int i = 0; i < values.length; i++) {
      values[i] = rows.value(i, column);
    }
    boolean prose = type.equals("prose");
    if (prose) {
      encoding.fit(values);
    }
    String sent = prose ? "text" : type;
    statement.setArray(position, statement.getConnection().createArrayOf(sent, values));
  }

  @Override
  public void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    statement.setObject(position, value);
  }

  @Override
  public void lockSchema(EngineLink link) throws SQLException {
    link.execute("select pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
  }

  @Override
  public Notifier notifier(Connections ringing, Connections listening, Tables tables) {
    String channel =
        tables.schema().map(schema -> schema + ".").orElse("") + tables.prefix() + "work";
    return new PostgresNotifier(ringing, listening, channel);
  }

  /** A serialization failure, or the victim of a deadlock. */
  @Override
  public boolean isConflict(SQLException error) {
    return "40001".equals(error.getSQLState()) || "40P01".equals(error.getSQLState());
  }

  /** A server that takes no writes (25006) is a standby, which the address leads to for now. */
  @Override
  public StoreFailure classify(SQLException error) {
    String state = error.getSQLState();
    if (state == null) {
      return StoreFailure.CONNECTION;
    }
    return switch (state) {
      case "40001", "40P01", "55P03", "57014", "53200", "53100" -> StoreFailure.TRANSIENT;
      case "57P01", "57P02", "57P03", "57P05", "25006", "25P03", "25P04", "53300" ->
          StoreFailure.CONNECTION;
      default ->
          switch (state.substring(0, Math.min(2, state.length()))) {
            case "08" -> StoreFailure.CONNECTION;
            case "22", "54" -> StoreFailure.DATA;
            default -> StoreFailure.OTHER;
          };
    };
  }
}
