package dev.standpipe.internal.store;

import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.sharedrows.SharedRows;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The {@code process} table. */
class JdbcProcesses implements Processes {
  /** How often what was being settled is looked for: its process may be alive and take more. */
  private static final int MOST_PASSES = 10;

  private final Database database;

  JdbcProcesses(Database database) {
    this.database = database;
  }

  @Override
  public void join(Member member, Duration lease, Serving serving) {
    database.inTransaction(
        session -> {
          session
              .query("process_join")
              .set("id", member.id())
              .set("name", member.name())
              .set("host", member.host())
              .set("pid", member.pid())
              .set("crash_limit", serving.crashLimit())
              .set("lease_us", Micros.of(lease))
              .update();
          Rows lanes = new Rows("lane integer");
          serving.lanes().forEach(lanes::add);
          session.query("process_serve").set("id", member.id()).set("lanes", lanes).update();
          Rows limits = new Rows("lane integer", "node text", "most integer");
          serving
              .stepLimits()
              .forEach(limit -> limits.add(limit.lane(), limit.node(), limit.most()));
          return session
              .query("process_limit")
              .set("id", member.id())
              .set("limits", limits)
              .update();
        });
    renew(member.id(), lease); // apart, so that nobody waits for this transaction to be heard of
  }

  @Override
  public boolean renew(UUID process, Duration lease) {
    return database.autocommit(session -> renew(session, process, lease));
  }

  /** Extends a lease and notes that somebody was heard of. */
  protected boolean renew(Session session, UUID process, Duration lease) throws SQLException {
    return session
            .query("process_renew")
            .set("id", process)
            .set("lease_us", Micros.of(lease))
            .update()
        == 1;
  }

  @Override
  public boolean isKnown(UUID process) {
    return database.autocommit(
        session ->
            session.query("process_known").set("id", process).first(row -> true).isPresent());
  }

  @Override
  public void leave(UUID process) {
    database.inTransaction(
        session -> {
          if (session.query("process_lock").set("id", process).first(row -> true).isPresent()) {
            SharedRows.dissolveOf(process, session, database.dialect());
            session.query("process_release").set("id", process).update();
            remove(session, process);
          }
          return true;
        });
  }

  @Override
  public Optional<Reaped> reap(UUID by) {
    Optional<Reaped> reaped =
        database.inTransaction(
            session -> crash(session, session.query("process_expired").set("by", by), true));
    return reaped.isPresent()
        ? reaped.map(dead -> rest(dead, true))
        : database
            .inTransaction(session -> crash(session, session.query("process_orphaned"), false))
            .filter(gone -> gone.tasks() > 0)
            .map(gone -> rest(gone, false));
  }

  @Override
  public boolean isLive(UUID process) {
    return database
        .autocommit(session -> session.query("process_live").set("id", process).first(row -> true))
        .isPresent();
  }

  @Override
  public Optional<Reaped> reapNow(UUID process) {
    Optional<Reaped> reaped =
        database.inTransaction(
            session -> crash(session, session.query("process_lock").set("id", process), true));
    return reaped.map(dead -> rest(dead, true));
  }

  /**
   * With what was just being settled, if it is still held. Whatever happens here, the process is
   * reaped; what it still holds then is an orphan's, to be found by the next who reaps.
   */
  private Reaped rest(Reaped first, boolean counted) {
    Reaped all = first;
    try {
      for (int i = 0; i < MOST_PASSES && awaitSettling(first.id()); i++) {
        Reaped before = all;
        all = database.inTransaction(session -> crash(session, before, counted));
      }
    } catch (StoreException e) {
      return all;
    }
    return all;
  }

  /** Waits for a task of this process that is being settled; {@code false} if there is none. */
  private boolean awaitSettling(UUID process) {
    return database.dialect().has(Capability.MANY_WRITERS)
        && database
            .autocommit(
                session -> session.query("process_settling").set("id", process).first(row -> 1))
            .isPresent();
  }

  private Optional<Reaped> crash(Session session, Query dead, boolean counted) throws SQLException {
    Optional<Reaped> found =
        dead.first(row -> new Reaped(Column.uuid(row, "id"), row.getString("name"), 0));
    if (found.isEmpty()) {
      return found;
    }
    Reaped reaped = crash(session, found.get(), counted);
    remove(session, reaped.id());
    return Optional.of(reaped);
  }

  private Reaped crash(Session session, Reaped process, boolean counted) throws SQLException {
    SharedRows.dissolveOf(process.id(), session, database.dialect());
    List<ReapedTask> freed = free(session, process.id(), counted);
    List<Crashed> quarantined = new ArrayList<>(process.quarantined());
    quarantined.addAll(CrashBudget.quarantine(session, freed));
    int tasks = process.tasks() + freed.size();
    return new Reaped(process.id(), process.name(), tasks, quarantined);
  }

  /**
   * Takes the tasks of a dead process off it and records the crash of each. What an orphan holds is
   * recorded but not counted: it was leased while its owner was being reaped, and killed nobody.
   */
  protected List<ReapedTask> free(Session session, UUID process, boolean counted)
      throws SQLException {
    return session
        .query("process_crash")
        .set("id", process)
        .set("counted", counted ? 1 : 0)
        .list(ReapedTask::of);
  }

  private static void remove(Session session, UUID process) throws SQLException {
    session.query("process_unserve").set("id", process).update();
    session.query("process_unlimit").set("id", process).update();
    session.query("process_leave").set("id", process).update();
    session.query("process_forget_cut_off").set("id", process).update();
  }
}
