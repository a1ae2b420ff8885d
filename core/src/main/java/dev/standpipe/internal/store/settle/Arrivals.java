package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * How settlements of a batch arrive at the targets of their runs. Of several that arrive at one
 * target, the first decides how the target's task is made if they open it. It is decided here and
 * nowhere else: the reply to the settlements says which arrival it was. Not thread-safe.
 */
final class Arrivals {
  private final Map<BumpTarget, FirstArrival> first = new HashMap<>();
  private final Map<BumpedCounter, Integer> deltas = new HashMap<>();
  private final List<FirstArrival> opened = new ArrayList<>();

  private record BumpTarget(UUID run, String counter) {}

  /** A target's counter as it is written; all who arrive there agree on what it needs. */
  private record BumpedCounter(BumpTarget target, int need) {}

  private record FirstArrival(Settlement settlement, Bump bump, Opened position) {}

  /** Notes all arrivals of the settlement at this position of the batch. */
  void add(int position, Settlement settlement) {
    List<Bump> bumps = settlement.changes().bumps();
    for (int i = 0; i < bumps.size(); i++) {
      Bump bump = bumps.get(i);
      BumpTarget target = new BumpTarget(settlement.run(), bump.counter());
      first.putIfAbsent(target, new FirstArrival(settlement, bump, new Opened(position, i)));
      deltas.merge(new BumpedCounter(target, bump.need()), bump.delta(), Integer::sum);
    }
  }

  /** Counts them, each target's together so that it is touched once; notes which have opened. */
  void count(Session session) throws SQLException {
    if (deltas.isEmpty()) {
      return;
    }
    Rows bumps = new Rows("run uuid", "node text", "need integer", "delta integer");
    deltas.forEach(
        (counter, delta) ->
            bumps.add(counter.target().run(), counter.target().counter(), counter.need(), delta));
    session
        .query("settle_arrive")
        .set("bumps", bumps)
        .forEach(
            row -> {
              if (row.getInt("remaining") == 0) {
                BumpTarget target =
                    new BumpTarget(Column.uuid(row, "run_id"), row.getString("node"));
                opened.add(Objects.requireNonNull(first.get(target)));
              }
            });
  }

  /** The arrivals that have opened their targets. */
  List<Opened> opened() {
    return opened.stream().map(FirstArrival::position).toList();
  }

  /** The tasks of targets that have opened. */
  Rows tasks() {
    Rows tasks = SettlementRows.newTasks();
    for (FirstArrival arrival : opened) {
      Settlement s = arrival.settlement();
      Bump bump = arrival.bump();
      if (!bump.node().equals(Bump.END) && !bump.node().equals(Bump.CLOSE)) {
        tasks.add(
            s.run(),
            bump.task(),
            bump.node(),
            s.lane(),
            (short) s.priority(),
            bump.index(),
            1,
            bump.leased() ? 1 : 0,
            s.ref().era());
      }
    }
    return tasks;
  }

  /** The runs of which an end has opened: {@link Bump#END} or {@link Bump#CLOSE}. */
  Rows ends(String end) {
    Rows runs = new Rows("run uuid");
    for (FirstArrival arrival : opened) {
      if (arrival.bump().node().equals(end)) {
        runs.add(arrival.settlement().run());
      }
    }
    return runs;
  }
}
