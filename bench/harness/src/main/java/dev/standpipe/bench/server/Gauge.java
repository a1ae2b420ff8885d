package dev.standpipe.bench.server;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads what a server has done, on a connection to a database of its own, so that nothing it does
 * itself counts. Not thread-safe.
 */
public final class Gauge implements AutoCloseable {
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private final Connection connection;
  private final boolean countsStatements;
  private final ServerCpu cpu;

  /** Opens one. */
  public Gauge(Server server) throws SQLException {
    this.connection = server.connect();
    this.countsStatements = canCountStatements();
    this.cpu = new ServerCpu((long) number("select pg_backend_pid()"));
  }

  private boolean canCountStatements() {
    try (Statement statement = connection.createStatement()) {
      statement.execute("create extension if not exists pg_stat_statements");
      statement.executeQuery("select 1 from pg_stat_statements limit 1").close();
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  /** Reads the meters. */
  public Reading read(String database) throws SQLException {
    return new Reading(
        number("select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"),
        cpu.seconds(),
        countsStatements
            ? number(
                "select coalesce(sum(calls), 0) from pg_stat_statements s"
                    + " join pg_database d on d.oid = s.dbid where d.datname = ?",
                database)
            : Double.NaN);
  }

  /** How many transactions were committed in a database, once everybody has left it. */
  public double commits(String database, int staying) throws SQLException {
    awaitQuiet(database, staying);
    return number("select xact_commit from pg_stat_database where datname = ?", database);
  }

  /**
   * Waits until all but some clients have left a database: they count their transactions when they
   * leave.
   */
  public void awaitQuiet(String database, int staying) throws SQLException {
    long deadline = System.nanoTime() + PATIENCE_NANOS;
    String clients =
        "select count(*) from pg_stat_activity"
            + " where datname = ? and backend_type = 'client backend'";
    while (number(clients, database) > staying) {
      if (System.nanoTime() - deadline >= 0) {
        System.err.println(
            "Connections stay open in "
                + database
                + ", its commits are not all counted: "
                + who(database));
        return;
      }
      LockSupport.parkNanos(TICK_NANOS);
    }
  }

  /** How many connections to a database have done something within the last seconds. */
  public double connectionsInUse(String database, int seconds) throws SQLException {
    return number(
        "select count(*) from pg_stat_activity"
            + " where datname = ? and backend_type = 'client backend'"
            + " and state_change > clock_timestamp() - ?::integer * interval '1 second'",
        database,
        Integer.toString(seconds));
  }

  private String who(String database) throws SQLException {
    String sql =
        "select string_agg(concat_ws(' ', pid, application_name, state, state_change, left(query, 80)), '; ')"
            + " from pg_stat_activity where datname = ? and backend_type = 'client backend'";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, database);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? String.valueOf(row.getString(1)) : "";
      }
    }
  }

  /** A setting of the server's. */
  public String setting(String name) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show " + name)) {
      row.next();
      return row.getString(1);
    }
  }

  private double number(String sql, String... parameters) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setString(i + 1, parameters[i]);
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getDouble(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
