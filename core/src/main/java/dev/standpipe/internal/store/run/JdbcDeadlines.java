package dev.standpipe.internal.store.run;

import dev.standpipe.internal.port.Deadlines;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The {@code deadline} table. */
public final class JdbcDeadlines implements Deadlines {
  private final Database database;

  public JdbcDeadlines(Database database) {
    this.database = database;
  }

  /** Notes the deadlines of those of these runs that were started and have one. */
  static void add(Session session, List<NewRun> runs, Collection<UUID> started)
      throws SQLException {
    Set<UUID> fresh = Set.copyOf(started);
    Rows deadlines = new Rows("run uuid", "time_us bigint");
    for (NewRun run : runs) {
      Long micros = run.deadlineMicros();
      if (micros != null && fresh.contains(run.id())) {
        deadlines.add(run.id(), micros);
      }
    }
    if (!deadlines.isEmpty()) {
      session.query("run_deadlines").set("deadlines", deadlines).update();
    }
  }

  @Override
  public Optional<Duration> next() {
    return database.autocommit(
        session ->
            session
                .query("run_next_deadline")
                .first(row -> Micros.duration(row.getLong("due_us"))));
  }

  @Override
  public List<UUID> overdue(int limit) {
    return database.autocommit(
        session ->
            session
                .query("run_overdue")
                .set("limit", limit)
                .list(row -> Column.uuid(row, "run_id")));
  }

  @Override
  public boolean expire(UUID run, long graceMicros) {
    return database.inTransaction(
        session -> {
          boolean stopped = session.query("run_expire").set("run", run).update() > 0;
          if (stopped) {
            session.query("run_cut_off_by").set("run", run).set("grace_us", graceMicros).update();
            JdbcRuns.cancelCalled(
                session, run, graceMicros, "the run that called it is out of time");
          }
          session.query("run_forget_deadline").set("run", run).update();
          return stopped;
        });
  }
}
