package dev.standpipe.internal.store;

import dev.standpipe.internal.port.Processes.Crashed;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Quarantines the tasks whose crash limit is reached. Whichever halts its run is quarantined; one
 * of a run that is halting already goes with the run's other tasks, and starts again with a fresh
 * budget should the run be brought back.
 */
final class CrashBudget {
  private CrashBudget() {}

  static List<Crashed> quarantine(Session session, List<ReapedTask> freed) throws SQLException {
    Map<UUID, Crashed> firsts = new HashMap<>();
    freed.stream()
        .filter(ReapedTask::spent)
        .map(ReapedTask::crashed)
        .forEach(task -> firsts.putIfAbsent(task.run(), task));
    if (firsts.isEmpty()) {
      return List.of();
    }
    Rows candidates = rows(firsts.values());
    Set<UUID> halted =
        new HashSet<>(
            session
                .query("quarantine_halt")
                .set("steps", candidates)
                .list(row -> Column.uuid(row, "id")));
    firsts.keySet().retainAll(halted);
    session.query("quarantine_add").set("steps", rows(firsts.values())).update();
    return List.copyOf(firsts.values());
  }

  private static Rows rows(Iterable<Crashed> tasks) {
    Rows rows =
        new Rows(
            "run uuid",
            "node text",
            "idx integer",
            "token bigint",
            "attempt integer",
            "crashes integer");
    for (Crashed task : tasks) {
      rows.add(task.run(), task.node(), task.index(), task.token(), task.attempt(), task.crashes());
    }
    return rows;
  }
}
