package dev.standpipe.internal.store;

import dev.standpipe.Lane;
import dev.standpipe.internal.port.Pauses;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.settle.PausedSettle;
import dev.standpipe.operate.Pause;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code pause} and {@code pausing} tables, and runs that are paused. */
final class JdbcPauses implements Pauses {
  private final Database database;

  JdbcPauses(Database database) {
    this.database = database;
  }

  @Override
  public boolean pause(UUID run, Audited audited) {
    return RunTaskLock.tasksOf(
        run,
        database,
        session -> {
          if (session.query("pause_run").set("run", run).update() == 0) {
            return false;
          }
          PausedSettle.park(session, Set.of(run));
          session.query("pause_mark").set("run", run).update();
          AuditRows.add(session, "pause", run, audited);
          return true;
        });
  }

  /**
   * A settlement that parks something keeps the run from being changed, so what it parked is there
   * when the run has been. Holding the tasks first keeps the order of locks.
   */
  @Override
  public boolean resume(UUID run, Audited audited) {
    return RunTaskLock.tasksOf(
        run,
        database,
        session -> {
          if (session.query("pause_resume_run").set("run", run).update() == 0) {
            return false;
          }
          session.query("pause_unpark").set("run", run).update();
          session.query("pause_forget").set("run", run).update();
          AuditRows.add(session, "resume", run, audited);
          return true;
        });
  }

  @Override
  public boolean pause(String pipeline, Audited audited) {
    return change("pause_lanes", pipeline, null, audited);
  }

  @Override
  public boolean resume(String pipeline, Audited audited) {
    return change("pause_resume_lanes", pipeline, null, audited);
  }

  @Override
  public boolean pause(String pipeline, int lane, Audited audited) {
    return change("pause_lanes", pipeline, lane, audited);
  }

  @Override
  public boolean resume(String pipeline, int lane, Audited audited) {
    return change("pause_resume_lanes", pipeline, lane, audited);
  }

  /** A row without a lane is for all of the pipeline's. */
  private boolean change(
      String statement, String pipeline, @Nullable Integer lane, Audited audited) {
    return database.autocommit(
        session ->
            session
                    .query(statement)
                    .set("pipeline", pipeline)
                    .set("lane", lane)
                    .set("actor", audited.by())
                    .set("reason", audited.reason())
                    .update()
                > 0);
  }

  @Override
  public Paused look() {
    return database.autocommit(
        session -> {
          Set<Integer> lanes = new HashSet<>();
          Set<UUID> paused = new HashSet<>();
          session
              .query("pause_look")
              .forEach(
                  row -> {
                    UUID run = Column.uuidOrNull(row, "run_id");
                    if (run == null) {
                      lanes.add(row.getInt("lane"));
                    } else {
                      paused.add(run);
                    }
                  });
          return new Paused(Set.copyOf(lanes), Set.copyOf(paused));
        });
  }

  @Override
  public void calm(UUID run) {
    database.autocommit(session -> session.query("pause_unmark").set("run", run).update());
  }

  @Override
  public List<Pause> list() {
    return database.autocommit(session -> session.query("pause_list").list(JdbcPauses::pause));
  }

  private static Pause pause(ResultSet row) throws SQLException {
    String pipeline = row.getString("pipeline");
    return new Pause(
        pipeline,
        Optional.ofNullable(row.getString("hash")).map(hash -> new Lane(pipeline, hash)),
        Micros.instant(row.getLong("paused_us")),
        row.getString("paused_by"),
        row.getString("pause_reason"));
  }
}
