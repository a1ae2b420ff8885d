package dev.standpipe.internal.simulation;

import dev.standpipe.checker.Checker;
import dev.standpipe.internal.coordinate.Model;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.RandomGraph;
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
  private static final String NOT_THERE = "not there";

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
      if (start.isAcknowledged()) {
        start.heard(actual(start.run()));
        String output = output(start);
        if (!output.equals(NOT_THERE)) {
          start.endedEarly(output.substring(1, output.length() - 1));
        }
      }
    }
    for (SimStart start : simulation.starts()) {
      judge(start, violations);
    }
    violations.addAll(
        simulation.schedule().judge(simulation.database(), simulation.time().isDisturbed()));
    long runs =
        count(
            "select count(*) from standpipe_run where pipeline not like '%$%' and pipeline <> 'ticks' and id not in (select run_id from standpipe_called) and id not in (select run_id from standpipe_rerun)");
    long starts = simulation.starts().stream().filter(start -> !start.isFork()).count();
    if (runs != starts) {
      violations.add("I2: " + starts + " starts made " + runs + " runs");
    }
    return violations;
  }

  private void judge(SimStart start, List<String> violations) throws SQLException {
    if (!start.isAcknowledged()) {
      violations.add("I8: the start of " + start.key + " never returned");
      return;
    }
    String status = status(start);
    Set<String> expected = expected(start, status);
    if (!expected.contains(status)) {
      violations.add(start.key + " is " + status + " and should be one of " + expected);
    }
    judgeUndone(start, violations);
    if (status.equals("skipped")) {
      return;
    }
    String output = output(start);
    Set<String> outputs = outputs(start, status);
    if (!outputs.contains(output)) {
      violations.add(start.key + " ended early with " + output + ", not one of " + outputs);
    }
    Map<Step, String> actual = actual(start.run());
    Map<Step, String> values = start.values();
    boolean ended = status.equals("succeeded") || status.equals("failed");
    boolean whole = ended && output.equals(NOT_THERE);
    if (whole && !actual.equals(values)) {
      violations.add(start.key + " has " + actual + " and should have " + values);
    }
    actual.forEach(
        (step, value) -> {
          if (!values.containsKey(step) || !Objects.equals(value, values.get(step))) {
            violations.add(step + " has " + value + " and should have " + values.get(step));
          }
        });
    judgeContext(start, violations);
    judgeRows(start, violations);
    judgeSignals(start, actual, violations);
    judgeTries(start, violations);
    judgeTurns(start, violations);
  }

  /**
   * The last turns of a loop are there, each with what it made of the state before, and no more.
   */
  private void judgeTurns(SimStart start, List<String> violations) throws SQLException {
    Map<Step, String> values = start.values();
    try (PreparedStatement statement =
            prepare(
                "select node, idx, turn, value, (select count(*) from standpipe_turn o where o.run_id = t.run_id and o.node = t.node and o.idx = t.idx) as kept from standpipe_turn t where run_id = ?",
                start.run().toString());
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        Step step = new Step(row.getString("node"), row.getInt("idx"));
        int turn = row.getInt("turn");
        String state = values.get(start.model().inputs(step).get(0));
        for (int i = 1; i <= turn; i++) {
          state = SimFlow.state(step, i, state);
        }
        String handedOn = row.getString("value");
        if (turn > SimFlow.turns(step) || !handedOn.equals('"' + state + '"')) {
          violations.add("I2: turn " + turn + " of " + step + " has handed on " + handedOn);
        }
        if (row.getInt("kept") > RandomGraph.KEPT) {
          violations.add("I8: " + row.getInt("kept") + " turns of " + step + " are there");
        }
      }
    }
  }

  /**
   * Of steps that end a run early one decides, and it alone. If the run was stopped before, it goes
   * on without that when it is brought back. A fork that has taken such a step over goes on as
   * well.
   */
  private static Set<String> outputs(SimStart start, String status) {
    Set<String> outputs = new HashSet<>();
    List<Step> finishers = start.flow.finishers(start.model());
    if (status.equals("succeeded")) {
      finishers.forEach(step -> outputs.add('"' + SimFlow.output(step) + '"'));
    }
    if (outputs.isEmpty() || start.revives() > 0 || start.isFork()) {
      outputs.add(NOT_THERE);
    }
    return outputs;
  }

  /** What a step sets is there exactly if its result is. */
  private void judgeContext(SimStart start, List<String> violations) throws SQLException {
    List<Step> setters = start.flow.setters(start.model());
    for (Step step : setters) {
      long found =
          count(
              "select count(*) from standpipe_context c where run_id = ? and key = ?"
                  + " and value = ? and exists (select 1 from standpipe_result r"
                  + " where r.run_id = c.run_id and r.node = c.node"
                  + " and r.idx in (c.idx, -1 - c.idx) and r.token = c.token and r.outcome = 1)",
              start.run().toString(),
              step.toString(),
              Integer.toString(step.index()));
      if (found != (hasSucceeded(start, step) ? 1 : 0)) {
        violations.add("I2: " + step + " has " + found + " values in the context");
      }
    }
    long all =
        count("select count(*) from standpipe_context where run_id = ?", start.run().toString());
    if (all > setters.size()) {
      violations.add("I2: the context of " + start.key + " has " + all + " values");
    }
  }

  /** A step that writes a row in its own transaction has one exactly if it has succeeded (I9). */
  private void judgeRows(SimStart start, List<String> violations) throws SQLException {
    long astray =
        count(
            "select count(*) from user_row u where run_id = ? and not exists (select 1 from"
                + " standpipe_result r where r.run_id = u.run_id and r.node = u.node and r.idx ="
                + " u.idx and r.token = u.token and r.outcome = 1)",
            start.run().toString());
    if (astray > 0) {
      violations.add("I9: " + start.key + " has " + astray + " rows of steps without a result");
    }
    for (Step step : succeeded(start.run())) {
      long rows =
          count(
              "select count(*) from user_row where run_id = ? and node = ? and idx = ?",
              start.run().toString(),
              step.key(),
              step.index());
      if (rows != (start.flow.writesRow(step.key()) ? 1 : 0)) {
        violations.add("I9: " + step + " of " + start.key + " has written " + rows + " rows");
      }
    }
  }

  /** Without what a fork has taken over. */
  private List<Step> succeeded(UUID run) throws SQLException {
    List<Step> steps = new ArrayList<>();
    try (PreparedStatement statement =
            prepare(
                "select node, idx from standpipe_result where run_id = ? and idx >= 0 and outcome = 1 and attempt >= 1",
                run.toString());
        ResultSet row = statement.executeQuery()) {
      while (row.next()) {
        steps.add(new Step(row.getString("node"), row.getInt("idx")));
      }
    }
    return steps;
  }

  /** An expand's own result has the index -1. */
  private boolean hasSucceeded(SimStart start, Step step) throws SQLException {
    return count(
            "select count(*) from standpipe_result"
                + " where run_id = ? and node = ? and idx in (?, ?) and outcome = 1",
            start.run().toString(),
            step.key(),
            step.index(),
            -1 - step.index())
        > 0;
  }

  /** A signal that was taken is what its await ends with; otherwise perhaps, or the expiry. */
  private static void judgeSignals(
      SimStart start, Map<Step, String> actual, List<String> violations) {
    for (Step await : start.model().awaits()) {
      String heard = actual.get(await);
      if (heard != null && !start.mayHaveHeard(await, heard)) {
        violations.add(await + " of " + start.key + " has heard " + heard);
      }
    }
  }

  /** The text of what a step has ended the run with early. */
  private String output(SimStart start) throws SQLException {
    return text("select value from standpipe_finish where run_id = ?", start.run());
  }

  /** How it ended, whatever was done about that afterwards. */
  private String status(SimStart start) throws SQLException {
    return text(
        "select case when status not in ('compensated', 'compensation_failed') then status when halt_reason = 'canceled' then halt_reason else 'halted' end from standpipe_run where id = ?",
        start.run());
  }

  /** Whatever has succeeded is undone, if it can be, and nothing else is. */
  private void judgeUndone(SimStart start, List<String> violations) throws SQLException {
    String compensation =
        text(
            "select run_id from standpipe_dispatched where kind = 'compensate' and original_run_id = ?",
            start.run());
    if (compensation.equals(NOT_THERE)) {
      return;
    }
    Set<String> undone = simulation.undone(UUID.fromString(compensation));
    Set<String> succeeded = new HashSet<>();
    Set<String> kept = Set.copyOf(start.pipeline().graph().endCallbacks().compensated());
    done(start.run())
        .forEach(
            (step, value) -> {
              if (kept.contains(step.key())) {
                succeeded.add(value);
              }
            });
    boolean whole =
        text("select status from standpipe_run where id = ?", start.run()).equals("compensated");
    if (whole ? !undone.equals(succeeded) : !succeeded.containsAll(undone)) {
      violations.add(start.key + " has undone " + undone + " and should have " + succeeded);
    }
  }

  /**
   * A cancel that returned holds, and one that did not may; what waited for others may be skipped.
   */
  private Set<String> expected(SimStart start, String status) throws SQLException {
    if (start.cancel() == SimStart.Cancel.DONE) {
      return Set.of("canceled");
    }
    Set<String> expected = new HashSet<>();
    if (start.cancel() == SimStart.Cancel.PERHAPS) {
      expected.add("canceled");
    }
    boolean succeeded = true;
    boolean always = true;
    for (SimStart upstream : start.upstreams()) {
      succeeded &= status(upstream).equals("succeeded");
      always &= upstream.revives() == 0;
    }
    boolean revived = start.revives() > 0; // a run that waited begins at once then
    boolean skipped = status.equals("skipped") ? !succeeded || !always : !succeeded && !revived;
    expected.addAll(skipped ? Set.of("skipped") : whatItDoes(start));
    if (start.hasDeadline()) { // which counts while it waits, too
      expected.add("halted");
    }
    return expected;
  }

  /** With a step that never succeeds and one that ends the run early, the first decides. */
  private static Set<String> whatItDoes(SimStart start) {
    Set<String> does = new HashSet<>();
    does.add(SimFlow.end(start.model()));
    if (!start.flow.finishers(start.model()).isEmpty()) {
      does.add("succeeded");
    }
    if (start.hasDeadline()) {
      does.add("halted");
    }
    return does;
  }

  /** As many failed tries as the step was told to fail, however often a process died (I7). */
  private void judgeTries(SimStart start, List<String> violations) throws SQLException {
    Model model = start.model();
    for (Step step : model.all()) {
      long failed =
          count(
              "select count(*) from standpipe_attempt where run_id = ? and node = ? and idx = ? and outcome in ('failed', 'timed_out')",
              start.run().toString(),
              step.key(),
              step.index());
      int told = start.flow.recordedFailures(model, step);
      boolean whole =
          !SimFlow.end(model).equals("halted")
              && start.cancel() == SimStart.Cancel.NEVER
              && !start.hasDeadline()
              && start.flow.finishers(model).isEmpty()
              && start.revives() == 0
              && !start.isFork();
      boolean exact = whole && !model.isFailing(step); // which may have given up at once
      if (exact ? failed != told : failed > (1L + start.revives()) * told) {
        violations.add("I7: " + step + " failed " + failed + " times and was told " + told);
      }
    }
  }

  private Map<Step, String> actual(UUID run) throws SQLException {
    return values(run, 0);
  }

  /** Without what a fork has taken over. */
  private Map<Step, String> done(UUID run) throws SQLException {
    return values(run, 1);
  }

  private Map<Step, String> values(UUID run, int leastAttempt) throws SQLException {
    Map<Step, String> actual = new HashMap<>();
    try (PreparedStatement statement =
            prepare(
                "select node, idx, value from standpipe_result where run_id = ? and idx >= 0 and outcome in (1, 3) and attempt >= ?",
                run.toString(),
                leastAttempt);
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
      return row.next() ? row.getString(1) : NOT_THERE;
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
