package dev.standpipe.checker;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The tables, as they are.
 *
 * @param graphs the graph of each lane
 * @param runs every run
 * @param results every outcome, elements of expands included
 * @param attempts every try that did not succeed
 * @param tasks what is not finished
 * @param arrivals what fan-ins wait for
 * @param forked the runs that have taken over results of another
 * @param revived the runs that were brought back, each as often as it was
 * @param links how runs hang together
 * @param turns the turns of loops that are still there
 */
record Ledger(
    Map<Integer, Graph> graphs,
    List<RunRow> runs,
    List<ResultRow> results,
    List<AttemptRow> attempts,
    List<TaskRow> tasks,
    List<ArrivalRow> arrivals,
    Set<UUID> forked,
    List<UUID> revived,
    Links links,
    List<TurnRow> turns) {

  /** One without loops. */
  Ledger(
      Map<Integer, Graph> graphs,
      List<RunRow> runs,
      List<ResultRow> results,
      List<AttemptRow> attempts,
      List<TaskRow> tasks,
      List<ArrivalRow> arrivals,
      Set<UUID> forked,
      List<UUID> revived,
      Links links) {
    this(graphs, runs, results, attempts, tasks, arrivals, forked, revived, links, List.of());
  }

  /** A turn of a loop that another one follows. */
  record TurnRow(Step step, int turn, long token, int attempt) {}

  /** A run; one that a step ended early has dropped what was left to do. */
  record RunRow(UUID id, int lane, String status, boolean endedEarly) {
    private static final Set<String> UNENDED =
        Set.of("waiting", "running", "paused", "halting", "finishing", "canceling");

    /** Whether all its steps have; it may still be compensated. */
    boolean hasEnded() {
      return !UNENDED.contains(status);
    }

    /** Whether nobody has stopped it: all its steps have ended. */
    boolean cameToItsEnd() {
      return !endedEarly && (status.equals("succeeded") || status.equals("failed"));
    }
  }

  /**
   * An outcome; an expand's own has no index below 0 here and its number of elements as value; a
   * divert's has the arm it took.
   */
  record ResultRow(
      Step step,
      long token,
      int attempt,
      Outcome outcome,
      @Nullable Integer elements,
      @Nullable String arm) {}

  /** How a result came about. */
  enum Outcome {
    SUCCEEDED,
    FAILED,
    ELEMENT,
    SKIPPED,
    LOST
  }

  /** A try that did not succeed. */
  record AttemptRow(Step step, long token, int attempt, String outcome) {
    /** Whether the try was cut short by something other than its own doing. */
    boolean isCutShort() {
      return !outcome.equals("failed") && !outcome.equals("snoozed");
    }

    /** Whether it is one that does not use up a retry. */
    boolean isForgiven() {
      return outcome.equals("crashed") || outcome.equals("canceled") || outcome.equals("snoozed");
    }
  }

  /** A step that is not finished. */
  record TaskRow(Step step, int state, long token, @Nullable String owner) {
    @Override
    public String toString() {
      String held = owner == null ? "" : " held by " + owner;
      return step + " in state " + state + " with token " + token + held;
    }
  }

  /** A fan-in, or the end of a run. */
  record ArrivalRow(UUID run, String node, int remaining) {}

  interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  static Ledger read(Connection connection, String prefix) throws SQLException {
    Map<Integer, Graph> graphs = new HashMap<>();
    Tables tables = Tables.of(connection, prefix);
    tables.list(
        "select l.id, d.graph from lane l join definition d on d.id = l.definition_id",
        row -> graphs.put(row.getInt("id"), Graph.parse(row.getString("graph"))));
    return new Ledger(
        graphs,
        tables.list(
            "select id, lane, status, (select count(*) from finish where run_id = id) as early from run",
            row ->
                new RunRow(
                    uuid(row, "id"),
                    row.getInt("lane"),
                    row.getString("status"),
                    row.getInt("early") > 0)),
        tables.list(
            "select run_id, node, idx, token, attempt, outcome, case when idx < 0 then value end as elements, case when idx >= 0 and length(value) <= 102 then value end as arm from result where node <> '$input'",
            Ledger::result),
        tables.list(
            "select run_id, node, idx, token, attempt, outcome from attempt",
            row ->
                new AttemptRow(
                    step(row),
                    row.getLong("token"),
                    row.getInt("attempt"),
                    row.getString("outcome"))),
        tables.list(
            "select run_id, node, idx, state, token, owner from task",
            row ->
                new TaskRow(
                    step(row), row.getInt("state"), row.getLong("token"), row.getString("owner"))),
        tables.list(
            "select run_id, node, remaining from arrival",
            row ->
                new ArrivalRow(
                    uuid(row, "run_id"), row.getString("node"), row.getInt("remaining"))),
        Set.copyOf(
            tables.list(
                "select run_id from rerun where node is not null", row -> uuid(row, "run_id"))),
        tables.list(
            "select run_id from audit where action in ('release', 'revive')",
            row -> uuid(row, "run_id")),
        Links.read(tables),
        tables.list(
            "select run_id, node, idx, turn, token, attempt from turn",
            row ->
                new TurnRow(
                    step(row), row.getInt("turn"), row.getLong("token"), row.getInt("attempt"))));
  }

  private static ResultRow result(ResultSet row) throws SQLException {
    String elements = row.getString("elements");
    String arm = row.getString("arm");
    Step at = step(row);
    Step step = at.index() < 0 ? new Step(at.run(), at.node(), -1 - at.index()) : at;
    Outcome outcome = outcome(row.getInt("outcome"), row.getInt("attempt"));
    return new ResultRow(
        step,
        row.getLong("token"),
        row.getInt("attempt"),
        outcome,
        elements == null ? null : Integer.valueOf(elements),
        arm == null ? null : arm.replace("\"", ""));
  }

  /** What is lost has failed without a try. */
  private static Outcome outcome(int outcome, int attempt) {
    return outcome == 2 && attempt == 0 ? Outcome.LOST : Outcome.values()[outcome - 1];
  }

  private static Step step(ResultSet row) throws SQLException {
    return new Step(uuid(row, "run_id"), row.getString("node"), row.getInt("idx"));
  }

  private static UUID uuid(ResultSet row, String column) throws SQLException {
    return UUID.fromString(row.getString(column));
  }

  /** Reads whole tables. */
  record Tables(Connection connection, String prefix) {
    static Tables of(Connection connection, String prefix) {
      if (!prefix.matches("[a-z0-9_.]*")) {
        throw new IllegalArgumentException("Not the beginning of a table's name: " + prefix);
      }
      return new Tables(connection, prefix);
    }

    <T> List<T> list(String sql, Mapper<T> mapper) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(sql.replaceAll(" (from|join) ", " $1 " + prefix))) {
        List<T> rows = new ArrayList<>();
        while (row.next()) {
          rows.add(mapper.map(row));
        }
        return rows;
      }
    }
  }
}
