package dev.standpipe.internal.store;

import dev.standpipe.error.NotQuarantinedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Quarantines;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.run.ReviveRows;
import dev.standpipe.operate.QuarantinedStep;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The {@code quarantine} and {@code audit} tables. */
final class JdbcQuarantines implements Quarantines {
  private static final int LAST_PROCESSES = 10;

  private final Database database;

  JdbcQuarantines(Database database) {
    this.database = database;
  }

  @Override
  public List<QuarantinedStep> list(int limit) {
    return database.autocommit(
        session -> read(session.query("quarantine_list").set("limit", limit)));
  }

  @Override
  public Optional<QuarantinedStep> find(StepId step) {
    return database.autocommit(
        session -> read(named(session, "quarantine_find", step)).stream().findFirst());
  }

  @Override
  public List<FinishedStep> finished(UUID run) {
    return database.autocommit(session -> ReviveRows.finished(session, run));
  }

  @Override
  public List<Unfinished> unfinished(UUID run) {
    return database.autocommit(session -> ReviveRows.unfinished(session, run));
  }

  @Override
  public void release(QuarantinedStep step, Resume resume, Release release) {
    database.inTransaction(
        session -> {
          boolean still = isStill(session, resume.run(), release.times());
          remove(session, step);
          AuditRows.add(session, "release", step.step(), release.audited());
          if (!still || !ReviveRows.bringBack(session, resume)) {
            throw new RunHaltingException(step.step().run());
          }
          return true;
        });
  }

  /** Whether what was read of a run is still true; if so, it stays so until this is committed. */
  private static boolean isStill(Session session, UUID run, int times) throws SQLException {
    Query still = session.query("revive_still").set("run", run).set("times", times);
    return still.first(row -> true).isPresent();
  }

  @Override
  public boolean revive(Resume resume, Revival revival) {
    return database.inTransaction(
        session -> {
          if (!isStill(session, resume.run(), revival.times())) {
            return false;
          }
          session.query("revive_unquarantine").set("run", resume.run()).update();
          session.query("revive_unlimit").set("run", resume.run()).update();
          if (revival.retryLimit().isPresent()) {
            session
                .query("revive_limit")
                .set("run", resume.run())
                .set("tasks", ReviveRows.tasks(resume))
                .set("most", revival.retryLimit().getAsInt())
                .update();
          }
          AuditRows.add(session, "revive", resume.run(), revival.audited());
          return ReviveRows.bringBack(session, resume);
        });
  }

  @Override
  public int revived(UUID run) {
    return database
        .autocommit(
            session ->
                session.query("revive_times").set("run", run).first(row -> row.getInt("times")))
        .orElse(0);
  }

  @Override
  public void discard(QuarantinedStep step, Audited audited) {
    database.inTransaction(
        session -> {
          remove(session, step);
          named(session, "quarantine_fail", step.step())
              .set("attempt", step.attempt())
              .set("token", step.token())
              .update();
          AuditRows.add(session, "discard", step.step(), audited);
          return true;
        });
  }

  private static void remove(Session session, QuarantinedStep step) throws SQLException {
    Query query = named(session, "quarantine_remove", step.step()).set("token", step.token());
    if (query.update() == 0) {
      throw new NotQuarantinedException(step.step());
    }
  }

  private static Query named(Session session, String statement, StepId step) {
    return session
        .query(statement)
        .set("run", step.run())
        .set("node", step.node())
        .set("idx", step.index());
  }

  /** Rows come crash by crash; those of one step belong together. */
  private static List<QuarantinedStep> read(Query query) throws SQLException {
    Map<UUID, QuarantinedStep> steps = new LinkedHashMap<>();
    query.forEach(
        row -> {
          UUID run = Column.uuid(row, "run_id");
          QuarantinedStep step = steps.get(run);
          if (step == null) {
            step = step(row, run);
            steps.put(run, step);
          }
          UUID process = Column.uuidOrNull(row, "process_id");
          if (process != null && step.processes().size() < LAST_PROCESSES) {
            step.processes().add(process);
          }
        });
    return steps.values().stream().map(JdbcQuarantines::frozen).toList();
  }

  private static QuarantinedStep step(ResultSet row, UUID run) throws SQLException {
    return new QuarantinedStep(
        new StepId(run, row.getString("node"), row.getInt("idx")),
        row.getString("pipeline"),
        row.getInt("crashes"),
        row.getInt("attempt"),
        row.getLong("token"),
        new ArrayList<>(),
        Micros.instant(row.getLong("quarantined_us")));
  }

  private static QuarantinedStep frozen(QuarantinedStep step) {
    return new QuarantinedStep(
        step.step(),
        step.pipeline(),
        step.crashes(),
        step.attempt(),
        step.token(),
        List.copyOf(step.processes()),
        step.quarantinedAt());
  }
}
