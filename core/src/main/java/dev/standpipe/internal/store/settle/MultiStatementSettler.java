package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/** Settles on a database where each statement writes one table. */
public final class MultiStatementSettler extends Settler {
  public MultiStatementSettler(Database database) {
    super(database);
  }

  @Override
  protected boolean fitsOneStatement(SettlementRows batch) {
    return false;
  }

  @Override
  protected Passed guard(Session session, UUID owner, SettlementRows batch, List<Integer> positions)
      throws SQLException {
    List<Integer> accepted =
        held(
            session,
            owner,
            batch.holds(positions),
            run -> run.goesOn() && run.paused() == batch.isParked());
    Rows handOvers =
        new Rows("run uuid", "task bigint", "token bigint", "node text", "idx integer");
    List<Integer> moved = new ArrayList<>();
    List<Integer> removed = new ArrayList<>();
    List<Integer> goingOn = new ArrayList<>();
    for (int ord : accepted) {
      Settlement s = batch.get(ord);
      Settlement.Next next = s.changes().next();
      if (!s.verdict().keepsTask()) {
        removed.add(ord);
      } else if (next == null || !next.leased()) {
        moved.add(ord);
      } else if (s.verdict() instanceof Settlement.Expanding) {
        goingOn.add(ord);
      } else {
        handOvers.add(s.run(), s.task(), s.token(), next.node(), next.index());
      }
    }
    run(session, "settle_hand_over", owner, "moves", handOvers);
    run(session, "settle_go_on", owner, "holds", batch.holds(goingOn));
    run(session, "settle_move", owner, "settled", batch.settled(moved));
    run(session, "settle_remove", owner, "holds", batch.holds(removed));
    run(session, "settle_record", owner, "results", batch.results(accepted));
    return new Passed(accepted, end(session, batch.ends(accepted)));
  }

  @Override
  protected List<Integer> takeOff(
      Session session, UUID owner, SettlementRows batch, List<Integer> positions)
      throws SQLException {
    List<Integer> stopped = held(session, owner, batch.holds(positions), run -> !run.goesOn());
    run(session, "settle_remove", owner, "holds", batch.holds(stopped));
    return stopped;
  }

  /**
   * The run of a task that is held.
   *
   * @param goesOn whether nobody has stopped it
   * @param paused whether it is paused
   */
  private record HeldRun(boolean goesOn, boolean paused) {}

  /** Those the owner holds with the very token, of runs that are such. */
  private static List<Integer> held(
      Session session, UUID owner, Rows holds, Predicate<HeldRun> wanted) throws SQLException {
    List<Integer> held = new ArrayList<>(holds.size());
    session
        .query("settle_guard")
        .set("owner", owner)
        .set("holds", holds)
        .forEach(
            row -> {
              if (wanted.test(new HeldRun(row.getBoolean("goes_on"), row.getBoolean("paused")))) {
                held.add(row.getInt("ord"));
              }
            });
    return held;
  }
}
