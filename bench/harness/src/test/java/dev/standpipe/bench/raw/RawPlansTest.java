package dev.standpipe.bench.raw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.bench.TestServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A yardstick that reads whole tables would flatter whoever is measured against it. Plans are made
 * once, often while the tables are small, and kept while they grow.
 */
class RawPlansTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 20, 5_000})
  void plansUseIndexesWithAnyStatistics(int rows) throws Exception {
    String url = TestServer.emptyDatabase();
    try (Connection connection = RawLoop.connect(url);
        Statement statement = connection.createStatement()) {
      statement.execute(Sql.TABLES.text());
      fill(statement, rows);

      for (Sql sql : List.of(Sql.SETTLE_CHAIN, Sql.SETTLE_GRAPH, Sql.VALUES)) {
        List<String> plan = explain(statement, sql);

        assertThat(plan).as("%s", sql).anyMatch(line -> line.contains("Index"));
        assertThat(scansOfWholeTables(plan)).as("%s: %s", sql, plan).isEmpty();
      }
    }
  }

  private static void fill(Statement statement, int rows) throws SQLException {
    statement.execute(
        "insert into raw_task (run_id, id, node, idx, lane, priority, state, owner, token, attempt,"
            + " crashes) select gen_random_uuid(), 1, 'step-0', 0, 1, 0, 1, gen_random_uuid(), 1, 1,"
            + " 0 from generate_series(1, "
            + rows
            + ")");
    statement.execute(
        "insert into raw_run (id, pipeline, lane, priority, labels)"
            + " select run_id, 'raw', 1, 0, '{}' from raw_task");
    statement.execute(
        "insert into raw_result (run_id, node, idx, outcome, attempt, token, elapsed_us, value)"
            + " select run_id, '$input', 0, 1, 0, 0, 0, '1' from raw_task");
    statement.execute("analyze");
  }

  private static List<String> explain(Statement statement, Sql sql) throws SQLException {
    String text = sql.text().replaceAll("(?m)^--.*$", "");
    int parameters = 0;
    while (text.contains("?")) {
      parameters++;
      text = text.replaceFirst("\\?", "\\$" + parameters);
    }
    String name = "plan_" + sql;
    statement.execute("prepare " + name + " as " + text);
    String nulls = String.join(",", Collections.nCopies(parameters, "null"));
    List<String> plan = new ArrayList<>();
    try (ResultSet row = statement.executeQuery("explain execute " + name + "(" + nulls + ")")) {
      while (row.next()) {
        plan.add(row.getString(1));
      }
    }
    return plan;
  }

  private static List<String> scansOfWholeTables(List<String> plan) {
    List<String> scans = new ArrayList<>();
    for (int i = 0; i < plan.size(); i++) {
      boolean lookedUp = i + 1 < plan.size() && plan.get(i + 1).contains("Index Cond");
      boolean index = plan.get(i).contains("Index Scan") || plan.get(i).contains("Index Only Scan");
      if (plan.get(i).contains("Seq Scan") || (index && !lookedUp)) {
        scans.add(plan.get(i).strip());
      }
    }
    return scans;
  }
}
