package dev.standpipe.checker;

import dev.standpipe.checker.Ledger.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * How runs hang together, as the tables have it.
 *
 * @param ended the runs whose end nobody has followed up
 * @param dispatched the runs that were started because another has ended
 * @param chain which run waits for which
 * @param haltReasons why runs were stopped, of those that were
 * @param signals what steps that wait have heard
 * @param calls the runs that steps of others have called
 */
record Links(
    List<UUID> ended,
    List<Dispatched> dispatched,
    List<Chain> chain,
    Map<UUID, String> haltReasons,
    List<Signal> signals,
    List<Call> calls) {
  static final Links NONE =
      new Links(List.of(), List.of(), List.of(), Map.of(), List.of(), List.of());

  /** A callback or a compensation. */
  record Dispatched(UUID run, UUID original, String kind) {}

  /** A run and one it waits for. */
  record Chain(UUID upstream, UUID downstream, boolean resolved) {}

  /** What a step that waits has heard. */
  record Signal(Step step, boolean signaled, boolean expired) {}

  /** A run that a step has called, and as which of those it has called. */
  record Call(UUID run, Step caller, int nth) {}

  static Links read(Tables tables) throws SQLException {
    Map<UUID, String> haltReasons = new HashMap<>();
    for (Map.Entry<UUID, String> stopped :
        tables.list(
            "select id, halt_reason from run where halt_reason is not null",
            row -> Map.entry(uuid(row, "id"), row.getString("halt_reason")))) {
      haltReasons.put(stopped.getKey(), stopped.getValue());
    }
    return new Links(
        tables.list("select run_id from ended", row -> uuid(row, "run_id")),
        tables.list(
            "select run_id, original_run_id, kind from dispatched",
            row ->
                new Dispatched(
                    uuid(row, "run_id"), uuid(row, "original_run_id"), row.getString("kind"))),
        tables.list(
            "select upstream_run_id, downstream_run_id, resolved from chain",
            row ->
                new Chain(
                    uuid(row, "upstream_run_id"),
                    uuid(row, "downstream_run_id"),
                    row.getBoolean("resolved"))),
        haltReasons,
        tables.list(
            "select run_id, node, idx, case when value is null then 0 else 1 end as signaled, expired from signal",
            row ->
                new Signal(
                    step(row, "run_id"), row.getBoolean("signaled"), row.getBoolean("expired"))),
        tables.list(
            "select run_id, parent_run_id, node, idx, call_number from called",
            row ->
                new Call(
                    uuid(row, "run_id"), step(row, "parent_run_id"), row.getInt("call_number"))));
  }

  private static Step step(ResultSet row, String run) throws SQLException {
    return new Step(uuid(row, run), row.getString("node"), row.getInt("idx"));
  }

  private static UUID uuid(ResultSet row, String column) throws SQLException {
    return UUID.fromString(row.getString(column));
  }
}
