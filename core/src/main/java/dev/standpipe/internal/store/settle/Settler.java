package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.Tasks.Closed;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.run.JdbcSignals;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Settles batches of steps: moves or removes the tasks that pass the guard, and then writes what
 * follows from them, in one transaction. What is refused belongs to a run that has stopped or is
 * paused, or to somebody else by now.
 */
public class Settler {
  private final Database database;
  private final PausedSettle parking;

  @SuppressWarnings("this-escape")
  public Settler(Database database) {
    this.database = database;
    this.parking = new PausedSettle(database, this);
  }

  /** Settles what is still the owner's; says what became of each. */
  public Reply settle(UUID owner, List<Settlement> settlements) {
    SettlementRows batch = new SettlementRows(settlements);
    SettlementFate[] fates = new SettlementFate[settlements.size()];
    Arrays.fill(fates, SettlementFate.STALE);
    Arrived arrived =
        fitsOneStatement(batch)
            ? database.autocommit(session -> settle(session, owner, batch, fates))
            : database.inTransaction(session -> settle(session, owner, batch, fates));
    List<Integer> refused = positions(fates, SettlementFate.STALE);
    if (!refused.isEmpty()) {
      try {
        database.inTransaction(session -> drain(session, owner, batch, refused, fates));
        return parking.settle(owner, settlements, reply(fates, arrived));
      } catch (StoreException e) {
        boolean some = positions(fates, SettlementFate.STALE).size() < fates.length;
        throw some ? e.afterSomeTookEffect() : e;
      }
    }
    return reply(fates, arrived);
  }

  private static Reply reply(SettlementFate[] fates, Arrived arrived) {
    return new Reply(
        List.of(fates), arrived.opened(), arrived.stopped(), arrived.followed(), arrived.closed());
  }

  /** Settles within a transaction; what is refused stays as it is. */
  public Reply settle(Session session, UUID owner, SettlementRows batch) throws SQLException {
    SettlementFate[] fates = new SettlementFate[batch.positions().size()];
    Arrays.fill(fates, SettlementFate.STALE);
    return reply(fates, settle(session, owner, batch, fates));
  }

  /** Whether one statement does all that the batch asks for, and so needs no transaction around. */
  protected boolean fitsOneStatement(SettlementRows batch) {
    return batch.isSimple();
  }

  /** What {@link Reply} says besides the fates. */
  private record Arrived(
      List<Opened> opened, List<UUID> stopped, boolean followed, List<Closed> closed) {}

  /**
   * What passed the guard.
   *
   * @param accepted which settlements
   * @param succeeded the runs that have succeeded with them at once
   */
  protected record Passed(List<Integer> accepted, EndedRuns succeeded) {}

  private Arrived settle(Session session, UUID owner, SettlementRows batch, SettlementFate[] fates)
      throws SQLException {
    Passed passed = guard(session, owner, batch, batch.positions());
    SettlementFate fate = batch.isParked() ? SettlementFate.PARKED : SettlementFate.COMMITTED;
    passed.accepted().forEach(ord -> fates[ord] = fate);
    Rows ending = batch.ends(passed.accepted());
    List<UUID> stopped = stopped(session, ending, passed.succeeded());
    if (batch.isSimple()) {
      return new Arrived(List.of(), stopped, passed.succeeded().followed(), List.of());
    }
    List<Integer> accepted = positions(fates, fate);
    run(session, "settle_create", owner, "tasks", batch.tasks(accepted));
    Arrivals arrivals = batch.arrivals(accepted);
    arrivals.count(session);
    run(session, "settle_create", owner, "tasks", arrivals.tasks());
    run(session, "settle_attempts", owner, "attempts", batch.attempts(accepted));
    EffectWriters.write(session, batch.withEffects(accepted));
    JdbcSignals.await(session, batch.waits(accepted));
    run(session, "settle_tolerate", owner, "failures", batch.tolerated(accepted));
    Rows last = arrivals.ends(Bump.END);
    EndedRuns succeeded = end(session, last);
    ClosedRuns closing = ClosedRuns.of(session, arrivals.ends(Bump.CLOSE), stopped);
    run(session, "settle_halt", owner, "halts", batch.halts(accepted));
    FinishRows.write(session, batch.finishes(accepted));
    stopped.addAll(stopped(session, last, succeeded));
    return new Arrived(
        arrivals.opened(),
        stopped,
        passed.succeeded().followed() || succeeded.followed() || closing.followed(),
        closing.closed());
  }

  /** Somebody may have stopped a run after its last step was found to be of a running one. */
  public static List<UUID> stopped(Session session, Rows ending, EndedRuns succeeded)
      throws SQLException {
    return succeeded.runs() == ending.size()
        ? new ArrayList<>()
        : session.query("run_stopped").set("runs", ending).list(row -> Column.uuid(row, "id"));
  }

  /** Moves or removes the tasks that pass, and records their results; returns which passed. */
  protected Passed guard(Session session, UUID owner, SettlementRows batch, List<Integer> positions)
      throws SQLException {
    if (SingleRow.isStep(batch)) {
      return SingleRow.settle(session, owner, batch.get(0));
    }
    List<Integer> moving = positions.stream().filter(batch::staysOn).toList();
    List<Integer> going = positions.stream().filter(ord -> !batch.staysOn(ord)).toList();
    List<Integer> accepted = new ArrayList<>(positions.size());
    EndedRuns succeeded =
        session
            .query("settle")
            .set("owner", owner)
            .set("parked", batch.isParked())
            .set("moved", batch.settled(moving))
            .set("removed", batch.settled(going))
            .set("moving", moving.size())
            .set("removing", going.size())
            .first(
                row -> {
                  addPlaces(accepted, moving, row.getString("moved"));
                  addPlaces(accepted, going, row.getString("removed"));
                  return new EndedRuns(row.getInt("ended"), row.getBoolean("followed"));
                })
            .orElseThrow();
    for (Settlement expand : batch.wide(accepted)) {
      WideExpand.record(session, owner, expand);
    }
    run(session, "settle_record", owner, "results", batch.besides(accepted));
    return new Passed(accepted, succeeded);
  }

  /** One row with all the places costs less than a row for each, and none costs least. */
  public static void addPlaces(List<Integer> accepted, List<Integer> of, @Nullable String places) {
    if (places == null) {
      accepted.addAll(of);
    } else if (!places.isEmpty()) {
      for (String place : places.split(",", -1)) {
        accepted.add(of.get(Integer.parseInt(place) - 1));
      }
    }
  }

  /** Of those refused, takes off the tasks whose run has stopped; the others are stale. */
  private boolean drain(
      Session session,
      UUID owner,
      SettlementRows batch,
      List<Integer> refused,
      SettlementFate[] fates)
      throws SQLException {
    List<Integer> drained = takeOff(session, owner, batch, refused);
    run(session, "settle_record", owner, "results", batch.results(drained));
    run(session, "settle_attempts", owner, "attempts", batch.attempts(drained));
    EffectWriters.write(session, batch.withEffects(drained));
    drained.forEach(ord -> fates[ord] = SettlementFate.DRAINED);
    return true;
  }

  /** Removes the tasks that the owner still holds of runs that have stopped; returns which. */
  protected List<Integer> takeOff(
      Session session, UUID owner, SettlementRows batch, List<Integer> positions)
      throws SQLException {
    return session
        .query("settle_drain")
        .set("owner", owner)
        .set("holds", batch.holds(positions))
        .list(row -> row.getInt("ord"));
  }

  protected static EndedRuns end(Session session, Rows runs) throws SQLException {
    return runs.isEmpty()
        ? EndedRuns.NONE
        : EndedRuns.by(session, session.query("settle_end").set("runs", runs));
  }

  protected static int run(Session session, String statement, UUID owner, String name, Rows rows)
      throws SQLException {
    return rows.isEmpty()
        ? 0
        : session.query(statement).set("owner", owner).set(name, rows).update();
  }

  private static List<Integer> positions(SettlementFate[] fates, SettlementFate wanted) {
    List<Integer> positions = new ArrayList<>();
    for (int ord = 0; ord < fates.length; ord++) {
      if (fates[ord] == wanted) {
        positions.add(ord);
      }
    }
    return positions;
  }
}
