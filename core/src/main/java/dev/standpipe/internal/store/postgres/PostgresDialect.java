package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.store.Bell;
import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.OwnedConnection;
import dev.standpipe.internal.store.PooledConnections;
import dev.standpipe.internal.store.Rows;
import dev.standpipe.internal.store.SqlFailure;
import dev.standpipe.internal.store.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** What is particular to PostgreSQL. */
public final class PostgresDialect implements Dialect {
  private static final long SCHEMA_LOCK = 0x5374616e64706970L;

  /** Whoever closes a process waits for its listener, dead or not. */
  private static final Duration LISTENER_PATIENCE = Duration.ofSeconds(5);

  private static final String IDLE = "idle_in_transaction_session_timeout";
  private static final List<String> SETTINGS =
      List.of(
          "plan_cache_mode = force_generic_plan",
          "enable_seqscan = off",
          "enable_bitmapscan = off",
          "jit = off");

  @Override
  public String name() {
    return "postgres";
  }

  /** Statements here are few and repeat for ever: plan them on the server from the first use. */
  @Override
  public void prepare(Connection connection) throws SQLException {
    if (connection.isWrapperFor(PGConnection.class)) {
      connection.unwrap(PGConnection.class).setPrepareThreshold(1);
      UuidArray.allow(connection);
    }
  }

  /**
   * Plans are made once and kept, and never scan a whole table: the tables are often all but empty
   * when a plan is made, and full when it is used. Once this end counts a silent connection as
   * dead, the server does too: it would hold the locks of its transaction for hours otherwise.
   */
  @Override
  public int adopt(Connection connection, Duration patience) throws SQLException {
    prepare(connection);
    int before = connection.getNetworkTimeout();
    int millis = Math.toIntExact(patience.toMillis());
    int shortest = before > 0 ? Math.min(before, millis) : millis;
    connection.setNetworkTimeout(Runnable::run, shortest);
    for (String setting : SETTINGS) {
      execute(connection, "set " + setting);
    }
    execute(
        connection,
        "select set_config('"
            + IDLE
            + "', '"
            + shortest
            + "', false)"
            + " where current_setting('"
            + IDLE
            + "') = '0'");
    return before;
  }

  @Override
  public void disown(Connection connection, int patienceBefore) throws SQLException {
    for (String setting : SETTINGS) {
      execute(connection, "reset " + setting.substring(0, setting.indexOf(' ')));
    }
    execute(connection, "reset " + IDLE);
    execute(connection, "unlisten *");
    connection.setNetworkTimeout(Runnable::run, patienceBefore);
  }

  @Override
  public void begin(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  @Override
  public void rollback(Connection connection) throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  @Override
  public void beginReading(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    execute(connection, "set transaction isolation level repeatable read, read only");
  }

  @Override
  public void endReading(Connection connection) throws SQLException {
    rollback(connection);
  }

  @Override
  public boolean writesInOneStatement() {
    return true;
  }

  /** All of them travel in binary, ids if the driver can: see {@link UuidArray}. */
  @Override
  public void bindColumn(PreparedStatement statement, int position, Rows rows, int column)
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
          case "text" -> new String[rows.size()];
          default -> throw new IllegalArgumentException("No array of " + type);
        };
    for (int i = 0; i < values.length; i++) {
      values[i] = rows.value(i, column);
    }
    statement.setArray(position, statement.getConnection().createArrayOf(type, values));
  }

  @Override
  public void bindRows(PreparedStatement statement, int position, Rows rows) {
    throw new UnsupportedOperationException("PostgreSQL takes rows by column");
  }

  @Override
  public void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    statement.setObject(position, value);
  }

  @Override
  public void lockSchema(Connection connection) throws SQLException {
    execute(connection, "select pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
  }

  @Override
  public Bell bell(DataSource source, Tables tables) {
    String channel =
        tables.schema().map(schema -> schema + ".").orElse("") + tables.prefix() + "work";
    OwnedConnection listening = new OwnedConnection(source, this, LISTENER_PATIENCE);
    return new PostgresBell(new PooledConnections(source, this), listening, channel);
  }

  @Override
  public boolean hasOneWriter() {
    return false;
  }

  @Override
  public SqlFailure classify(SQLException error) {
    String state = error.getSQLState();
    if (state == null) {
      return SqlFailure.CONNECTION;
    }
    return switch (state) {
      case "40001", "40P01", "55P03", "57014", "53200", "53100" -> SqlFailure.TRANSIENT;
      case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "53300" -> SqlFailure.CONNECTION;
      default ->
          switch (state.substring(0, Math.min(2, state.length()))) {
            case "08" -> SqlFailure.CONNECTION;
            case "22", "54" -> SqlFailure.DATA;
            default -> SqlFailure.OTHER;
          };
    };
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
