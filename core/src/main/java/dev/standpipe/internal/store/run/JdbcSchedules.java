package dev.standpipe.internal.store.run;

import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.jdbc.Words;
import dev.standpipe.internal.store.sharedrows.StartRows;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Overlap;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Timing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code schedule} and {@code firing} tables. */
public final class JdbcSchedules implements StoredSchedules {
  private final Database database;
  private final JdbcRuns runs;

  public JdbcSchedules(Database database, JdbcRuns runs) {
    this.database = database;
    this.runs = runs;
  }

  /** One instant of one schedule. */
  private record Place(String schedule, Instant at) {}

  @Override
  public Instant now() {
    return database.autocommit(JdbcSchedules::now);
  }

  private static Instant now(Session session) throws SQLException {
    return session
        .query("schedule_now")
        .first(row -> Micros.instant(row.getLong("now_us")))
        .orElseThrow();
  }

  @Override
  public List<ScheduleInfo> list() {
    return database.autocommit(session -> session.query("schedule_list").list(JdbcSchedules::info));
  }

  @Override
  public Optional<ScheduleInfo> find(String name) {
    return database.autocommit(
        session -> session.query("schedule_find").set("name", name).first(JdbcSchedules::info));
  }

  @Override
  public List<String> declaredFor(String pipeline) {
    return database.autocommit(
        session ->
            session
                .query("schedule_declared")
                .set("pipeline", pipeline)
                .list(row -> row.getString("name")));
  }

  @Override
  public List<Firing> history(String name, int limit) {
    return database.autocommit(
        session ->
            session
                .query("schedule_history")
                .set("name", name)
                .set("limit", limit)
                .list(JdbcSchedules::firing));
  }

  @Override
  public boolean put(NewSchedule schedule) {
    return database.inTransaction(
        session -> {
          Optional<Instant> first = schedule.timing().next(now(session));
          if (write(session.query("schedule_add"), schedule, first).update() > 0) {
            return true;
          }
          ScheduleInfo before =
              session
                  .query("schedule_lock")
                  .set("name", schedule.name())
                  .first(JdbcSchedules::info)
                  .orElseThrow();
          if (before.declared() && !schedule.declared()) {
            return false;
          }
          boolean sameTiming = before.timing().equals(schedule.timing());
          Optional<Instant> next = sameTiming ? before.next() : first;
          write(session.query("schedule_change"), schedule, next).update();
          return true;
        });
  }

  private static Query write(Query query, NewSchedule schedule, Optional<Instant> next) {
    Timing timing = schedule.timing();
    Policies policies = schedule.policies();
    return query
        .set("name", schedule.name())
        .set("pipeline", schedule.pipeline())
        .set("cron", timing instanceof Timing.Cron cron ? cron.expression() : null)
        .set("zone", timing instanceof Timing.Cron cron ? cron.zone().getId() : null)
        .set("every_us", timing instanceof Timing.Every every ? Micros.of(every.interval()) : null)
        .set("missed", Words.of(policies.missed().policy()))
        .set("missed_limit", policies.missed().limit())
        .set("overlap", Words.of(policies.overlap()))
        .set("jitter_us", Micros.of(policies.jitter()))
        .set("declared", schedule.declared())
        .set("input", schedule.input())
        .set("changed_by", schedule.by())
        .set("next_us", micros(next));
  }

  @Override
  public boolean remove(String name) {
    return database.inTransaction(
        session -> {
          boolean removed = session.query("schedule_remove").set("name", name).update() > 0;
          session.query("schedule_drop_requests").set("name", name).update();
          return removed;
        });
  }

  @Override
  public boolean pause(String name, String by, String reason) {
    return database.autocommit(
        session ->
            session
                    .query("schedule_pause")
                    .set("name", name)
                    .set("actor", by)
                    .set("reason", reason)
                    .update()
                > 0);
  }

  @Override
  public boolean resume(String name) {
    return database.inTransaction(
        session -> {
          Optional<ScheduleInfo> info =
              session.query("schedule_lock").set("name", name).first(JdbcSchedules::info);
          if (info.isEmpty()) {
            return false;
          }
          Instant now = now(session);
          Optional<Instant> next = info.get().next();
          boolean passed = next.isPresent() && next.get().isBefore(now);
          return session
                  .query("schedule_resume")
                  .set("name", name)
                  .set("next_us", micros(passed ? info.get().timing().next(now) : next))
                  .update()
              > 0;
        });
  }

  @Override
  public int request(String name, List<Instant> instants, String by) {
    Rows rows = new Rows("fire_us bigint");
    instants.forEach(at -> rows.add(Micros.of(at)));
    return database.inTransaction(
        session -> {
          if (session.query("schedule_wake").set("name", name).update() == 0) {
            return 0;
          }
          return session
              .query("schedule_request")
              .set("name", name)
              .set("actor", by)
              .set("instants", rows)
              .update();
        });
  }

  @Override
  public List<DueSchedule> due(Collection<String> declared, int limit) {
    return database.autocommit(
        session -> {
          List<DueSchedule> due = new ArrayList<>();
          Query query = session.query("schedule_due").set("names", names(declared));
          query.set("limit", limit).forEach(row -> due.add(due(row)));
          return due.isEmpty() ? due : withRequested(session, due);
        });
  }

  private static List<DueSchedule> withRequested(Session session, List<DueSchedule> due)
      throws SQLException {
    Map<String, List<Instant>> requested = new HashMap<>();
    session
        .query("schedule_requested")
        .set("names", names(due.stream().map(one -> one.info().name()).toList()))
        .set("limit", StoredSchedules.REQUESTS_AT_ONCE)
        .forEach(
            row ->
                requested
                    .computeIfAbsent(row.getString("schedule"), name -> new ArrayList<>())
                    .add(Micros.instant(row.getLong("fire_us"))));
    return due.stream()
        .map(
            one ->
                new DueSchedule(
                    one.info(),
                    one.token(),
                    one.input(),
                    one.now(),
                    one.unended(),
                    requested.getOrDefault(one.info().name(), List.of())))
        .toList();
  }

  @Override
  public List<UUID> fire(List<Fired> fired) {
    Rows advances = new Rows("name text", "token bigint", "next_us bigint", "wake_us bigint");
    fired.forEach(
        one -> advances.add(one.name(), one.token(), micros(one.next()), micros(one.wake())));
    return database.inTransaction(
        session -> {
          Set<String> ours =
              new HashSet<>(
                  session
                      .query("schedule_advance")
                      .set("fired", advances)
                      .list(row -> row.getString("name")));
          return start(session, fired.stream().filter(one -> ours.contains(one.name())).toList());
        });
  }

  private List<UUID> start(Session session, List<Fired> fired) throws SQLException {
    Rows firings =
        new Rows("schedule text", "fire_us bigint", "outcome text", "run uuid", "error text");
    Map<Place, RunToStart> starts = new HashMap<>();
    for (Fired one : fired) {
      for (Decision decision : one.decisions()) {
        RunToStart start = decision.start();
        firings.add(
            one.name(),
            Micros.of(decision.at()),
            Words.of(decision.outcome()),
            start == null ? null : start.run().id(),
            decision.error());
        if (start != null) {
          starts.put(new Place(one.name(), decision.at()), start);
        }
      }
    }
    if (firings.isEmpty()) {
      return List.of();
    }
    List<RunToStart> fresh = new ArrayList<>();
    session
        .query("schedule_record")
        .set("firings", firings)
        .forEach(
            row -> {
              Instant at = Micros.instant(row.getLong("fire_us"));
              RunToStart start = starts.get(new Place(row.getString("schedule"), at));
              if (start != null) {
                fresh.add(start);
              }
            });
    return write(session, fresh);
  }

  /** Those of one definition together. */
  private List<UUID> write(Session session, List<RunToStart> starts) throws SQLException {
    Map<Integer, List<RunToStart>> byLane = new LinkedHashMap<>();
    starts.forEach(
        start ->
            byLane
                .computeIfAbsent(start.definition().lane(), lane -> new ArrayList<>())
                .add(start));
    List<UUID> started = new ArrayList<>();
    for (List<RunToStart> some : byLane.values()) {
      List<NewRun> rows = some.stream().map(RunToStart::run).toList();
      RunToStart one = some.get(0);
      List<UUID> ids =
          runs.write(
              session, one.definition(), StartRows.apart(rows), JdbcRuns.first(one.entries()));
      if (ids.size() < rows.size()) {
        throw new LaneGoneException(one.definition());
      }
      JdbcDeadlines.add(session, rows, ids);
      started.addAll(ids);
    }
    return started;
  }

  @Override
  public Optional<Duration> next() {
    return database.autocommit(
        session ->
            session
                .query("schedule_next")
                .first(row -> Optional.ofNullable(Column.longOrNull(row, "left_us")))
                .flatMap(left -> left)
                .map(Micros::duration));
  }

  private static Rows names(Collection<String> names) {
    Rows rows = new Rows("name text");
    names.forEach(rows::add);
    return rows;
  }

  private static DueSchedule due(ResultSet row) throws SQLException {
    return new DueSchedule(
        info(row),
        row.getLong("token"),
        row.getString("input"),
        Micros.instant(row.getLong("now_us")),
        Optional.ofNullable(Column.uuidOrNull(row, "unended_run_id")),
        List.of());
  }

  private static ScheduleInfo info(ResultSet row) throws SQLException {
    return new ScheduleInfo(
        row.getString("name"),
        row.getString("pipeline"),
        timing(row),
        new Policies(
            new Missed(
                Words.parse(Missed.Policy.class, row.getString("missed")),
                row.getInt("missed_limit")),
            Words.parse(Overlap.class, row.getString("overlap")),
            Micros.duration(row.getLong("jitter_us"))),
        row.getBoolean("declared"),
        instant(row, "next_us"),
        paused(row));
  }

  private static Timing timing(ResultSet row) throws SQLException {
    String cron = row.getString("cron");
    return cron == null
        ? Timing.every(Micros.duration(row.getLong("every_us")))
        : Timing.cron(cron, ZoneId.of(row.getString("zone")));
  }

  private static Optional<ScheduleInfo.SchedulePause> paused(ResultSet row) throws SQLException {
    Optional<Instant> since = instant(row, "paused_us");
    return since.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ScheduleInfo.SchedulePause(
                since.get(), row.getString("paused_by"), row.getString("pause_reason")));
  }

  private static Firing firing(ResultSet row) throws SQLException {
    return new Firing(
        Micros.instant(row.getLong("fire_us")),
        Words.parse(Firing.FiringOutcome.class, row.getString("outcome")),
        Optional.ofNullable(Column.uuidOrNull(row, "started_run_id")),
        Optional.ofNullable(row.getString("error")));
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(Column.longOrNull(row, column)).map(Micros::instant);
  }

  private static @Nullable Long micros(Optional<Instant> at) {
    return at.map(Micros::of).orElse(null);
  }
}
