package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Plain starts and plain settlements that come one at a time, as they do in a process with little
 * to do, each by a small statement: to set up one for many takes longer than to run these.
 */
public final class SingleRow {
  private SingleRow() {}

  /** Whether it is one start with nothing special about it. */
  public static boolean isStart(List<NewRun> runs, List<Entry> entries) {
    if (runs.size() != 1 || entries.size() != 1) {
      return false;
    }
    NewRun run = runs.get(0);
    return run.input() != null && run.delayMicros() == 0 && run.deadlineMicros() == null;
  }

  /** Starts a run that is such; says whether it did, or another has its key. */
  public static boolean start(Session session, Registered definition, NewRun run, Entry entry)
      throws SQLException {
    int started =
        session
            .query(run.key() == null ? "run_start_one" : "run_start_one_keyed")
            .set("run", run.id())
            .set("lane", definition.lane())
            .set("hash", definition.hash())
            .set("priority", (short) run.priority())
            .set("key", run.key())
            .set("key_hash", run.keyHash())
            .set("labels", run.labels())
            .set("followed", (short) run.followed().code())
            .set("input", run.input())
            .set("task", entry.task())
            .set("node", entry.node())
            .set("owner", run.owner())
            .update();
    return started > 0;
  }

  /** Whether it is one step that has a value, and a next step or the end of its run. */
  static boolean isStep(SettlementRows batch) {
    return batch.positions().size() == 1
        && !batch.isParked()
        && SettlementRows.isPlain(batch.get(0));
  }

  /** Settles a step that is such; says whether it passed the guard, and how its run has ended. */
  static Settler.Passed settle(Session session, UUID owner, Settlement s) throws SQLException {
    Settlement.Value value = s.changes().results().get(0);
    Settlement.Next next = s.changes().next();
    if (next == null) {
      return step(session.query("settle_one_last"), owner, s, value)
          .first(
              row ->
                  passed(
                      row.getInt("removed"),
                      new EndedRuns(row.getInt("ended"), row.getBoolean("followed"))))
          .orElseThrow();
    }
    int moved =
        step(session.query("settle_one_on"), owner, s, value)
            .set("next_node", next.node())
            .set("next_idx", next.index())
            .set("state", next.leased() ? SettlementRows.LEASED : SettlementRows.READY)
            .update();
    return passed(moved, EndedRuns.NONE);
  }

  private static Query step(Query query, UUID owner, Settlement s, Settlement.Value value) {
    return query
        .set("owner", owner)
        .set("run", s.run())
        .set("task", s.task())
        .set("token", s.token())
        .set("node", s.node())
        .set("idx", value.index())
        .set("attempt", s.attempt())
        .set("elapsed_us", s.elapsedMicros())
        .set("value", value.value());
  }

  private static Settler.Passed passed(int rows, EndedRuns succeeded) {
    return new Settler.Passed(rows == 0 ? List.of() : List.of(0), succeeded);
  }
}
