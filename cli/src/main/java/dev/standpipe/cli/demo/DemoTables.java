package dev.standpipe.cli.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;

/**
 * What the demo reads from Standpipe's tables: from outside, past the library, in SQL that both
 * databases understand. Thread-safe.
 */
final class DemoTables {
  private final DataSource source;
  private final String prefix;

  DemoTables(DataSource source, String prefix) {
    this.source = source;
    this.prefix = prefix;
  }

  /**
   * A committed result.
   *
   * @param step its step
   * @param token the token it was written with
   */
  record Committed(StepId step, long token) {}

  /**
   * What the tables hold at the end.
   *
   * @param runs how many runs there are of each status
   * @param liveTasks how many steps are not finished
   * @param crashedAttempts how many tries ended with the death of their process
   * @param results every step that has succeeded
   */
  record Evidence(
      Map<String, Integer> runs, int liveTasks, int crashedAttempts, List<Committed> results) {}

  /** Gathers it. */
  Evidence evidence() throws SQLException {
    Map<String, Integer> tasks = counts("select 'live', count(*) from %stask");
    Map<String, Integer> attempts =
        counts("select outcome, count(*) from %sattempt group by outcome");
    return new Evidence(
        runs(), tasks.getOrDefault("live", 0), attempts.getOrDefault("crashed", 0), committed());
  }

  /** How many steps of each node have succeeded. */
  Map<String, Integer> succeeded() throws SQLException {
    return counts("select node, count(*) from %sresult where outcome = 1 group by node");
  }

  /** How many runs there are of each status. */
  Map<String, Integer> runs() throws SQLException {
    return counts("select status, count(*) from %srun group by status");
  }

  /** How many steps the process of this name holds. */
  int heldBy(String process) throws SQLException {
    String sql =
        "select count(*) from %stask t join %sprocess p on p.id = t.owner where p.name = ?"
            .formatted(prefix, prefix);
    try (Connection connection = source.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, process);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? row.getInt(1) : 0;
      }
    }
  }

  private List<Committed> committed() throws SQLException {
    String sql =
        """
        select r.key, s.node, s.idx, s.token
        from %sresult s join %srun r on r.id = s.run_id
        where s.outcome = 1 and s.node <> '$input'"""
            .formatted(prefix, prefix);
    List<Committed> all = new ArrayList<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      while (row.next()) {
        StepId step = new StepId(row.getString(1), row.getString(2), row.getInt(3));
        all.add(new Committed(step, row.getLong(4)));
      }
    }
    return all;
  }

  /**
   * Whether anybody can write. In SQLite a process that was frozen in the middle of a transaction
   * keeps everybody else from writing until it is thawed.
   */
  boolean isWritable() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      if (!connection.getMetaData().getDatabaseProductName().equals("SQLite")) {
        return true;
      }
      statement.execute("pragma busy_timeout = 300");
      statement.execute("begin immediate");
      statement.execute("rollback");
      return true;
    } catch (SQLException e) {
      return false;
    }
  }

  private Map<String, Integer> counts(String sql) throws SQLException {
    Map<String, Integer> counts = new HashMap<>();
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql.formatted(prefix))) {
      while (row.next()) {
        counts.put(row.getString(1), row.getInt(2));
      }
    }
    return counts;
  }
}
