package dev.standpipe.internal.store.run;

import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Signals;
import dev.standpipe.internal.store.AuditRows;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.jdbc.StoredCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** The {@code signal} table. */
public final class JdbcSignals implements Signals {
  private static final int SKIPPED = StoredCode.SKIPPED.number();

  private final Database database;

  public JdbcSignals(Database database) {
    this.database = database;
  }

  @Override
  public Optional<AwaitedSignal> find(UUID run, String node, int index) {
    return database.autocommit(session -> found(session, new StepId(run, node, index)));
  }

  @Override
  public AwaitedSignal expire(UUID run, String node, int index) {
    StepId step = new StepId(run, node, index);
    return database.inTransaction(
        session -> {
          named(session, "signal_expire", step).update();
          return found(session, step).orElseThrow();
        });
  }

  @Override
  public SignalAnswer give(Given signal, Optional<Act> act) {
    return database.inTransaction(
        session -> {
          if (!give(session, signal)) {
            return named(session, "signal_refused", signal.step())
                .first(row -> refused(row, signal))
                .orElse(SignalAnswer.NOT_RUNNING);
          }
          if (act.isPresent()) {
            AuditRows.add(session, act.get().action(), signal.step(), act.get().audited());
          }
          return SignalAnswer.NOW;
        });
  }

  private static boolean give(Session session, Given signal) throws SQLException {
    Rows waits = newWaits();
    boolean[] given = {false};
    named(session, "signal_give", signal.step())
        .set("dedupe", signal.dedupeKey())
        .set("value", signal.value())
        .forEach(
            row -> {
              given[0] = true;
              Long task = Column.longOrNull(row, "task_id");
              if (task != null) {
                StepId step = signal.step();
                waits.add(step.run(), step.node(), step.index(), task);
              }
            });
    wake(session, waits);
    return given[0];
  }

  /** Tells awaits that have begun to wait; those that were signaled meanwhile are ready again. */
  public static void await(Session session, Rows waits) throws SQLException {
    if (waits.isEmpty()) {
      return;
    }
    Rows signaled = newWaits();
    session
        .query("signal_wait")
        .set("waits", waits)
        .forEach(
            row -> {
              if (row.getBoolean("signaled")) {
                signaled.add(
                    Column.uuid(row, "run_id"),
                    row.getString("node"),
                    row.getInt("idx"),
                    row.getLong("task_id"));
              }
            });
    wake(session, signaled);
  }

  /** Which steps wait, and in which tasks. */
  public static Rows newWaits() {
    return new Rows("run uuid", "node text", "idx integer", "task bigint");
  }

  static void wake(Session session, Rows waits) throws SQLException {
    if (!waits.isEmpty()) {
      session.query("signal_wake").set("waits", waits).update();
    }
  }

  /** The very signal is recognised whatever has become of its run: a caller may be late to ask. */
  private static SignalAnswer refused(ResultSet row, Given signal) throws SQLException {
    String value = row.getString("value");
    if (signal.dedupeKey().equals(row.getString("dedupe"))) {
      return SignalAnswer.BEFORE;
    }
    if (!row.getBoolean("goes_on")) {
      return SignalAnswer.NOT_RUNNING;
    }
    if (value != null) {
      return SignalAnswer.OTHER;
    }
    return row.getInt("outcome") == SKIPPED ? SignalAnswer.SKIPPED : SignalAnswer.EXPIRED;
  }

  private static Optional<AwaitedSignal> found(Session session, StepId step) throws SQLException {
    return named(session, "signal_look", step)
        .first(row -> new AwaitedSignal(row.getString("value"), row.getBoolean("expired")));
  }

  private static Query named(Session session, String statement, StepId step) {
    return session
        .query(statement)
        .set("run", step.run())
        .set("node", step.node())
        .set("idx", step.index());
  }
}
