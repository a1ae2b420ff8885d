package dev.standpipe.internal.engine;

import dev.standpipe.checker.Checker;
import dev.standpipe.internal.coordinate.Model;
import dev.standpipe.internal.coordinate.Model.Step;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * What must be true once all is drained: what the checker says of any database, and, since here the
 * bodies are known, the very values and the very numbers of tries.
 */
final class SimOracle {
  private final Simulation simulation;

  SimOracle(Simulation simulation) {
    this.simulation = simulation;
  }

  List<String> judge() throws SQLException {
    List<String> violations = new ArrayList<>();
    Checker.check(simulation.database().connection(), "standpipe_", simulation.history())
        .violations()
        .forEach(violation -> violations.add(violation.toString()));
    for (SimStart start : simulation.starts()) {
      judge(start, violations);
    }
    long runs = count("select count(*) from standpipe_run where pipeline not like '%$%'");
    if (runs != simulation.starts().size()) {
      violations.add("I2: " + simulation.starts().size() + " starts made " + runs + " runs");
    }
    return violations;
  }

  private void judge(SimStart start, List<String> violations) throws SQLException {
    if (!start.isAcknowledged()) {
      violations.add("I8: the start of " + start.key + " never returned");
      return;
    }
    String status = status(start);
    String expected = expected(start, status);
    if (!expected.equals(status)) {
      violations.add(start.key + " is " + status + " and should be " + expected);
    }
    Map<Step, String> actual = actual(start.run());
    judgeUndone(start, violations);
    if (status.equals("skipped")) {
      return;
    }
    Map<Step, String> values = SimFlow.values(start.model(), start.input());
    if (expected.equals("succeeded") && !actual.equals(values)) {
      violations.add(start.key + " has " + actual + " and should have " + values);
    }
    actual.forEach(
        (step, value) -> {
          if (!values.containsKey(step) || !Objects.equals(value, values.get(step))) {
            violations.add(step + " has " + value + " and should have " + values.get(step));
          }
        });
    judgeTries(start, violations);
  }

  private String status(SimStart start) throws SQLException {
    return text(
        "select case when halt_reason in ('canceled', 'skipped') then halt_reason else status end from standpipe_run where id = ?",
        start.run());
  }

  /** Whatever has succeeded is undone, if it can be, and nothing else is. */
  private void judgeUndone(SimStart start, List<String> violations) throws SQLException {
    String compensation =
        text(
            "select run_id from standpipe_dispatched where kind = 'compensate' and original = ?",
            start.run());
    if (compensation.equals("not there")) {
      return;
    }
    Set<String> undone = simulation.undone(UUID.fromString(compensation));
    Set<String> succeeded = new HashSet<>();
    Set<String> kept = Set.copyOf(start.pipeline().graph().sequels().compensated());
    actual(start.run())
        .forEach(
            (step, value) -> {
              if (kept.contains(step.key())) {
                succeeded.add(value);
              }
            });
    boolean whole =
        text("select followed from standpipe_run where id = ?", start.run()).equals("3");
    if (whole ? !undone.equals(succeeded) : !succeeded.containsAll(undone)) {
      violations.add(start.key + " has undone " + undone + " and should have " + succeeded);
    }
  }

  /** A cancel that returned holds, and one that did not may. */
  private String expected(SimStart start, String status) throws SQLException {
    boolean perhaps = start.cancel() == SimStart.Cancel.PERHAPS && status.equals("canceled");
    if (perhaps || start.cancel() == SimStart.Cancel.DONE) {
      return "canceled";
    }
    boolean succeeded = true;
    boolean always = true;
    for (SimStart upstream : start.upstreams()) {
      succeeded &= status(upstream).equals("succeeded");
      always &= upstream.revives() == 0;
    }
    boolean revived = start.revives() > 0; // a run that waited begins at once then
    boolean skipped = status.equals("skipped") ? !succeeded || !always : !succeeded && !revived;
    return skipped ? "skipped" : whatItDoes(start);
  }

  private static String whatItDoes(SimStart start) {
    return start.flow.succeeds(start.model()) ? "succeeded" : "halted";
  }

  /** As many failed tries as the step was told to fail, however often a process died (I7). */
  private void judgeTries(SimStart start, List<String> violations) throws SQLException {
    Model model = start.model();
    for (Step step : model.all()) {
      long failed =
          count(
              "select count(*) from standpipe_attempt where run_id = ? and node = ? and idx = ? and outcome not in ('crashed', 'canceled')",
              start.run().toString(),
              step.key(),
              step.index());
      int told = start.flow.failures(step);
      boolean whole =
          start.flow.succeeds(model)
              && start.cancel() == SimStart.Cancel.NEVER
              && start.revives() == 0;
      if (whole ? failed != told : failed > (1L + start.revives()) * told) {
        violations.add("I7: " + step + " failed " + failed + " times and was told " + told);
      }
    }
  }

  private Map<Step, String> actual(UUID run) throws SQLException {
    Map<Step, String> actual = new HashMap<>();
    try (PreparedStatement statement =
            prepare(
                "select node, idx, value from standpipe_result where run_id = ? and idx >= 0 and outcome in (1, 3)",
                run.toString());
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        String json = row.getString("value");
        actual.put(
            new Step(row.getString("node"), row.getInt("idx")),
            json.equals("null") ? null : json.substring(1, json.length() - 1));
      }
    }
    return actual;
  }

  private String text(String sql, UUID run) throws SQLException {
    try (PreparedStatement statement = prepare(sql, run.toString());
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getString(1) : "not there";
    }
  }

  private long count(String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(sql, values);
        ResultSet row = statement.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  private PreparedStatement prepare(String sql, Object... values) throws SQLException {
    PreparedStatement statement = simulation.database().connection().prepareStatement(sql);
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }
}
