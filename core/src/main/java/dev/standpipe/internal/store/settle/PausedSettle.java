package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Settles steps of runs that are paused: all of it is written, and what follows is parked. A
 * settlement is tried as one of a running run first, so that nobody pays for pauses that are none.
 */
public final class PausedSettle {
  private final Database database;
  private final Settler settling;

  PausedSettle(Database database, Settler settling) {
    this.database = database;
    this.settling = settling;
  }

  /** A run was resumed while something of it was being parked: nothing of that is to be kept. */
  private static final class RunResumedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RunResumedException() {
      super("Resumed while being parked", null, false, false);
    }
  }

  /** Parks what nobody holds of these runs, which are paused. */
  public static void park(Session session, Collection<UUID> runs) throws SQLException {
    session.query("pause_park").set("runs", rows(runs)).update();
  }

  /** Settles those that were refused though their owner holds them; the others are stale. */
  Reply settle(UUID owner, List<Settlement> all, Reply first) {
    ReplyMerger tally = new ReplyMerger(first);
    List<Integer> held = held(owner, all, tally.stale());
    if (held.isEmpty()) {
      return first;
    }
    try {
      tally.add(held, park(owner, ReplyMerger.pick(all, held)));
      List<Integer> left = held.stream().filter(tally::isStale).toList();
      if (!left.isEmpty()) { // resumed just now
        tally.add(left, settling.settle(owner, ReplyMerger.pick(all, left)));
      }
    } catch (StoreException e) {
      throw tally.isChanged() ? e.afterSomeTookEffect() : e;
    }
    return tally.reply();
  }

  private List<Integer> held(UUID owner, List<Settlement> all, List<Integer> refused) {
    Rows holds = new SettlementRows(all).holds(refused);
    return database.autocommit(
        session ->
            session
                .query("settle_held")
                .set("owner", owner)
                .set("holds", holds)
                .list(row -> row.getInt("ord")));
  }

  private Reply park(UUID owner, List<Settlement> held) {
    SettlementRows batch = SettlementRows.parked(held);
    try {
      return database.inTransaction(
          session -> {
            Reply reply = settling.settle(session, owner, batch);
            Set<UUID> runs = runs(held, reply);
            if (!runs.isEmpty()) {
              park(session, runs);
              requireNotResumed(session, runs);
            }
            return reply;
          });
    } catch (RunResumedException e) {
      return new Reply(ReplyMerger.stale(held.size()), List.of());
    }
  }

  /** Comes last in its transaction, since a run is locked after tasks and arrivals. */
  private static void requireNotResumed(Session session, Set<UUID> runs) throws SQLException {
    if (session.query("pause_resumed").set("runs", rows(runs)).first(row -> true).isPresent()) {
      throw new RunResumedException();
    }
  }

  private static Set<UUID> runs(List<Settlement> settlements, Reply reply) {
    Set<UUID> runs = new TreeSet<>();
    for (int i = 0; i < settlements.size(); i++) {
      if (reply.fates().get(i) != SettlementFate.STALE) {
        runs.add(settlements.get(i).run());
      }
    }
    return runs;
  }

  private static Rows rows(Collection<UUID> runs) {
    Rows rows = new Rows("run uuid");
    runs.forEach(rows::add);
    return rows;
  }
}
