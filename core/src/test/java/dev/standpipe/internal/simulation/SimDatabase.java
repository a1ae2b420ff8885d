package dev.standpipe.internal.simulation;

import dev.standpipe.StepTransaction;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.Schema;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import dev.standpipe.internal.transaction.StepTransactions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.sqlite.Function;
import org.sqlite.SQLiteConnection;

/**
 * A real SQLite in memory whose clock is the simulation's: the function the statements ask for the
 * time is replaced on this connection. All links share the connection; since a simulation does one
 * thing at a time and every call is a transaction of its own, none can tell. It begins as a copy of
 * one that was migrated: to migrate each took a quarter of all the time.
 */
final class SimDatabase implements AutoCloseable {
  private final Connection connection;
  private final Mutation mutation;
  private boolean away;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();

  SimDatabase(SimTime time, Mutation mutation) throws SQLException {
    this(time, mutation, Migrated.CONTENT);
  }

  private SimDatabase(SimTime time, Mutation mutation, byte[] content) throws SQLException {
    this.connection = DriverManager.getConnection("jdbc:sqlite::memory:");
    this.mutation = mutation;
    if (content.length > 0) {
      connection.unwrap(SQLiteConnection.class).deserialize("main", content);
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute("pragma temp_store = memory"); // a claim would make a file each time
    }
    Function.create(
        connection,
        "unixepoch",
        new Function() {
          @Override
          protected void xFunc() throws SQLException {
            result(time.databaseSeconds());
          }
        },
        1,
        0);
    Function.create(connection, "was_expired", new LastLook(), 2, 0);
  }

  /** Whether nobody can reach it. */
  boolean isAway() {
    return away;
  }

  void away(boolean now) {
    away = now;
  }

  Connection connection() {
    return connection;
  }

  /** Prepared once and kept: it is prepared by every call, which here is most of the cost. */
  PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement statement = prepared.get(sql);
    if (statement == null) {
      statement = connection.prepareStatement(mutation.of(sql));
      prepared.put(sql, statement);
    }
    return statement;
  }

  /** Writes the row of a step, as a body does in a table of its user's. */
  static void writeRow(StepTransaction tx) throws SQLException {
    try (PreparedStatement insert =
        tx.connection().prepareStatement("insert into user_row values (?, ?, ?, ?)")) {
      insert.setString(1, tx.runId().toString());
      insert.setString(2, tx.node());
      insert.setInt(3, tx.index());
      insert.setLong(4, tx.token());
      insert.executeUpdate();
    }
  }

  /** Where bodies write, with the planted bug if it is there. */
  StepTransactions transactions(StepTransactions real) {
    return mutation == Mutation.SETTLED_APART ? new SettledApart(real, connection) : real;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }

  /** What is in a database with Standpipe's tables and nothing in them. */
  private static final class Migrated {
    static final byte[] CONTENT = content();

    private static byte[] content() {
      try (SimDatabase empty = new SimDatabase(new SimTime(), Mutation.NONE, new byte[0])) {
        SqliteDialect dialect = new SqliteDialect();
        SimLink link = new SimLink(empty, line -> {});
        new Schema(dialect, Tables.DEFAULT)
            .migrate(new PooledConnections(link.dataSource(), dialect));
        try (Statement statement = empty.connection.createStatement()) {
          statement.execute(
              "create table user_row (run_id text, node text, idx integer, token integer)");
        }
        return empty.connection.unwrap(SQLiteConnection.class).serialize("main");
      } catch (SQLException e) {
        throw new IllegalStateException("Cannot migrate", e);
      }
    }
  }

  /** For {@link Mutation#REAPER_DOES_NOT_LOOK_AGAIN}: what the look before this one saw. */
  private static final class LastLook extends Function {
    private final Set<String> expired = new HashSet<>();

    @Override
    protected void xFunc() throws SQLException {
      String process = value_text(0);
      boolean before = value_int(1) == 1 ? !expired.add(process) : expired.remove(process);
      result(before ? 1 : 0);
    }
  }
}
