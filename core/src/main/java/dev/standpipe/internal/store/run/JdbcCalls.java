package dev.standpipe.internal.store.run;

import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Calls;
import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.sharedrows.StartRows;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** The {@code called} table. */
public final class JdbcCalls implements Calls {
  private final Database database;
  private final JdbcRuns runs;

  public JdbcCalls(Database database, JdbcRuns runs) {
    this.database = database;
    this.runs = runs;
  }

  @Override
  public Optional<Called> listen(StepId caller) {
    return database.inTransaction(
        session -> {
          named(session, "call_listen", caller).update();
          return last(session, caller);
        });
  }

  @Override
  public Optional<Called> call(StepId caller, int nth, RunToStart start) {
    return database.inTransaction(
        session -> {
          Query lock = session.query("call_lock").set("parent", caller.run());
          if (lock.first(row -> true).isEmpty()) {
            return Optional.empty();
          }
          UUID run = start.run().id();
          Query add = named(session, "call_add", caller).set("run", run).set("nth", nth);
          if (add.update() > 0) {
            runs.writeOne(
                session,
                start.definition(),
                StartRows.apart(List.of(start.run())),
                JdbcRuns.first(start.entries()));
          }
          return last(session, caller);
        });
  }

  @Override
  public void spend(UUID run, int attempt) {
    database.autocommit(
        session -> session.query("call_spend").set("run", run).set("attempt", attempt).update());
  }

  @Override
  public List<UUID> children(UUID run) {
    return database.autocommit(session -> runs(session, "call_children", run));
  }

  /** Wakes the step that called a run which has ended; whether there is one. */
  static boolean ended(Session session, UUID run) throws SQLException {
    Rows waits = JdbcSignals.newWaits();
    session
        .query("call_ended")
        .set("run", run)
        .forEach(
            row -> {
              Long task = Column.longOrNull(row, "task_id");
              if (task != null) {
                waits.add(
                    Column.uuid(row, "run_id"), row.getString("node"), row.getInt("idx"), task);
              }
            });
    JdbcSignals.wake(session, waits);
    return !waits.isEmpty();
  }

  /** The runs that a run has called and that have not ended. */
  static List<UUID> live(Session session, UUID run) throws SQLException {
    return runs(session, "call_live", run);
  }

  private static List<UUID> runs(Session session, String statement, UUID run) throws SQLException {
    return session.query(statement).set("run", run).list(row -> Column.uuid(row, "run_id"));
  }

  private static Optional<Called> last(Session session, StepId caller) throws SQLException {
    return named(session, "call_last", caller)
        .first(
            row -> {
              Long spent = Column.longOrNull(row, "failed_attempt");
              return new Called(
                  Column.uuid(row, "run_id"),
                  row.getInt("call_number"),
                  spent == null ? OptionalInt.empty() : OptionalInt.of(spent.intValue()));
            });
  }

  private static Query named(Session session, String statement, StepId caller) {
    return session
        .query(statement)
        .set("parent", caller.run())
        .set("node", caller.node())
        .set("idx", caller.index());
  }
}
