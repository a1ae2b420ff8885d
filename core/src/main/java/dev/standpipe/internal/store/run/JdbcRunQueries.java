package dev.standpipe.internal.store.run;

import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.SubStepInfo;
import dev.standpipe.info.TurnInfo;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.operate.RunFilter;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/** Reads the {@code run} table, and the rows that belong to a run; a statement for each call. */
public final class JdbcRunQueries implements RunQueries {
  private final Database database;

  public JdbcRunQueries(Database database) {
    this.database = database;
  }

  @Override
  public Optional<RunInfo> find(UUID run) {
    return database.autocommit(session -> find(session, run));
  }

  static Optional<RunInfo> find(Session session, UUID run) throws SQLException {
    return session.query("run_find").set("run", run).first(RunRows::runInfo);
  }

  @Override
  public List<RunInfo> newest(RunFilter filter, int limit) {
    return database.autocommit(
        session ->
            FilterParameters.set(session.query("run_newest"), filter)
                .set("limit", limit)
                .list(RunRows::runInfo));
  }

  @Override
  public RunCount count(RunFilter filter) {
    return database
        .autocommit(
            session ->
                FilterParameters.set(session.query("run_count"), filter)
                    .first(
                        row ->
                            new RunCount(row.getLong("n"), Micros.instant(row.getLong("now_us")))))
        .orElseThrow();
  }

  @Override
  public List<UUID> select(Selection selection) {
    return database.autocommit(
        session ->
            FilterParameters.set(session.query("run_select"), selection.filter())
                .set("after", selection.after())
                .set("limit", selection.limit())
                .list(row -> Column.uuid(row, "id")));
  }

  @Override
  public List<Keyed> keyed(String pipeline, Collection<String> keys) {
    Rows rows = new Rows("key text");
    keys.forEach(rows::add);
    return database.autocommit(session -> keyed(session, pipeline, rows));
  }

  static List<Keyed> keyed(Session session, String pipeline, Rows keys) throws SQLException {
    return session
        .query("run_keyed")
        .set("pipeline", pipeline)
        .set("keys", keys)
        .list(
            row ->
                new Keyed(Column.uuid(row, "id"), row.getString("key"), row.getString("key_hash")));
  }

  @Override
  public Optional<Integer> lane(UUID run) {
    return database.autocommit(
        session -> session.query("run_lane").set("run", run).first(row -> row.getInt("lane")));
  }

  @Override
  public OptionalInt retryLimit(UUID run, String node) {
    return database
        .autocommit(
            session ->
                session
                    .query("run_retry_limit")
                    .set("run", run)
                    .set("node", node)
                    .first(row -> OptionalInt.of(row.getInt("max_retries"))))
        .orElse(OptionalInt.empty());
  }

  @Override
  public List<UUID> ended(Collection<UUID> runs) {
    Rows rows = new Rows("id uuid");
    runs.forEach(rows::add);
    return database.autocommit(
        session ->
            session.query("run_ended").set("runs", rows).list(row -> Column.uuid(row, "id")));
  }

  @Override
  public List<Answer> ends(Collection<Awaited> runs, int longestOutput) {
    Rows rows = new Rows("id uuid", "node text");
    runs.forEach(awaited -> rows.add(awaited.run(), awaited.output()));
    return database.autocommit(
        session ->
            session
                .query("run_ends")
                .set("runs", rows)
                .set("longest", longestOutput)
                .list(
                    row ->
                        new Answer(
                            Column.uuid(row, "id"), Optional.ofNullable(row.getString("output")))));
  }

  @Override
  public List<StepInfo> steps(UUID run) {
    return database.autocommit(
        session -> session.query("run_steps").set("run", run).list(RunRows::stepInfo));
  }

  @Override
  public List<SubStepInfo> subSteps(UUID run, String node, int index) {
    return database.autocommit(
        session ->
            session
                .query("run_substeps")
                .set("run", run)
                .set("node", node)
                .set("idx", index)
                .list(
                    row ->
                        new SubStepInfo(
                            node,
                            index,
                            row.getString("key"),
                            row.getLong("token"),
                            Micros.instant(row.getLong("written_us")))));
  }

  @Override
  public List<TurnInfo<String>> turns(UUID run, String node, int index) {
    return database.autocommit(
        session ->
            session
                .query("run_turns")
                .set("run", run)
                .set("node", node)
                .set("idx", index)
                .list(
                    row ->
                        new TurnInfo<>(
                            row.getInt("turn"),
                            row.getString("value"),
                            row.getInt("attempt"),
                            row.getLong("token"),
                            Micros.instant(row.getLong("finished_us")),
                            Micros.duration(row.getLong("elapsed_us")))));
  }

  @Override
  public List<PendingStep> pending(UUID run, int limit) {
    return database.autocommit(
        session ->
            session
                .query("run_pending")
                .set("run", run)
                .set("limit", limit)
                .list(RunRows::pendingStep));
  }

  @Override
  public List<StepId> failed(UUID run, int limit) {
    return database.autocommit(
        session ->
            session
                .query("run_failed")
                .set("run", run)
                .set("limit", limit)
                .list(row -> new StepId(run, row.getString("node"), row.getInt("idx"))));
  }

  @Override
  public Optional<AttemptInfo> decisive(UUID run, String node) {
    return database.autocommit(
        session ->
            session
                .query("run_decisive")
                .set("run", run)
                .set("node", node)
                .first(RunRows::attemptInfo));
  }

  @Override
  public List<AttemptInfo> attempts(UUID run) {
    return database.autocommit(
        session -> session.query("run_attempts").set("run", run).list(RunRows::attemptInfo));
  }

  @Override
  public Optional<String> value(UUID run, String node, int index) {
    return database.autocommit(
        session ->
            session
                .query("run_value")
                .set("run", run)
                .set("node", node)
                .set("idx", index)
                .first(row -> row.getString("value")));
  }

  @Override
  public Optional<String> output(UUID run, String node) {
    return database.autocommit(
        session ->
            session
                .query("run_output")
                .set("run", run)
                .set("node", node)
                .first(row -> row.getString("value")));
  }

  @Override
  public List<UUID> halting(UUID after, int limit) {
    return database.autocommit(
        session ->
            session
                .query("run_halting")
                .set("after", after)
                .set("limit", limit)
                .list(row -> Column.uuid(row, "run_id")));
  }

  @Override
  public Unwanted unwanted(UUID owner) {
    Unwanted unwanted = new Unwanted(new HashSet<>(), new HashSet<>());
    return database.autocommit(
        session -> {
          session
              .query("run_unwanted")
              .set("owner", owner)
              .forEach(
                  row -> {
                    UUID run = Column.uuid(row, "run_id");
                    long task = row.getLong("task_id");
                    if (row.wasNull()) {
                      unwanted.runs().add(run);
                    } else {
                      unwanted.tries().add(new TaskRef(run, task, row.getLong("token")));
                    }
                  });
          return unwanted;
        });
  }
}
