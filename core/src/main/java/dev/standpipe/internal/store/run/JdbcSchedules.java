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
  private static final int PAGE = 1000;
  private static final String[] COLUMNS = {
    "name text",
    "pipeline text",
    "cron text",
    "zone text",
    "every_us bigint",
    "missed text",
    "missed_limit integer",
    "overlap text",
    "jitter_us bigint",
    "declared boolean",
    "input text",
    "changed_by text",
    "next_us bigint"
  };

  private final Database database;
  private final JdbcRuns runs;

  public JdbcSchedules(Database database, JdbcRuns runs) {
    this.database = database;
    this.runs = runs;
  }

  /** One instant of one schedule. */
  private record Place(String schedule, Instant at) {}

  /** A schedule whose time has come. */
  private record Waking(String name, long wakeMicros, boolean declared) {}

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
  public List<ScheduleInfo> declaredFor(String pipeline) {
    return database.autocommit(
        session ->
            session.query("schedule_declared").set("pipeline", pipeline).list(JdbcSchedules::info));
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
  public List<String> put(List<NewSchedule> schedules) {
    return database.inTransaction(
        session -> {
          Instant now = now(session);
          Rows rows = new Rows(COLUMNS);
          schedules.forEach(
              one -> rows.add(values(one, one.timing().next(now)).values().toArray()));
          Set<String> added =
              new HashSet<>(
                  session
                      .query("schedule_add")
                      .set("schedules", rows)
                      .list(row -> row.getString("name")));
          List<String> refused = new ArrayList<>();
          for (NewSchedule one : schedules) {
            if (!added.contains(one.name()) && !change(session, one, now)) {
              refused.add(one.name());
            }
          }
          return refused;
        });
  }

  private static boolean change(Session session, NewSchedule schedule, Instant now)
      throws SQLException {
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
    Query query = session.query("schedule_change");
    values(schedule, sameTiming ? before.next() : schedule.timing().next(now)).forEach(query::set);
    query.update();
    return true;
  }

  /** What is written of a schedule, in the order of {@link #COLUMNS}. */
  private static Map<String, @Nullable Object> values(
      NewSchedule schedule, Optional<Instant> next) {
    Timing timing = schedule.timing();
    Policies policies = schedule.policies();
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("name", schedule.name());
    values.put("pipeline", schedule.pipeline());
    values.put("cron", timing instanceof Timing.Cron cron ? cron.expression() : null);
    values.put("zone", timing instanceof Timing.Cron cron ? cron.zone().getId() : null);
    values.put(
        "every_us", timing instanceof Timing.Every every ? Micros.of(every.interval()) : null);
    values.put("missed", Words.of(policies.missed().policy()));
    values.put("missed_limit", policies.missed().limit());
    values.put("overlap", Words.of(policies.overlap()));
    values.put("jitter_us", Micros.of(policies.jitter()));
    values.put("declared", schedule.declared());
    values.put("input", schedule.input());
    values.put("changed_by", schedule.by());
    values.put("next_us", micros(next));
    return values;
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
  public List<DueSchedule> due(Set<String> declared, int limit) {
    return database.autocommit(
        session -> {
          List<String> names = dueNames(session, declared, limit);
          return names.isEmpty() ? List.of() : withRequested(session, read(session, names));
        });
  }

  /**
   * Page by page, until there are enough of them that can be fired here. The names that are
   * declared here never go to the database: there may be very many of them, and few are due.
   */
  private static List<String> dueNames(Session session, Set<String> declared, int limit)
      throws SQLException {
    List<String> names = new ArrayList<>();
    Waking last = new Waking("", 0, false);
    List<Waking> page;
    do {
      page =
          session
              .query("schedule_waking")
              .set("after_us", last.wakeMicros())
              .set("after", last.name())
              .set("limit", PAGE)
              .list(JdbcSchedules::waking);
      for (Waking one : page) {
        last = one;
        if (names.size() < limit && (!one.declared() || declared.contains(one.name()))) {
          names.add(one.name());
        }
      }
    } while (page.size() == PAGE && names.size() < limit);
    return names;
  }

  private static Waking waking(ResultSet row) throws SQLException {
    return new Waking(row.getString("name"), row.getLong("wake_us"), row.getBoolean("declared"));
  }

  private static List<DueSchedule> read(Session session, List<String> names) throws SQLException {
    return session.query("schedule_due").set("names", names(names)).list(JdbcSchedules::due);
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
  public List<Fired> fire(List<Fired> fired) {
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
          List<Fired> accepted = fired.stream().filter(one -> ours.contains(one.name())).toList();
          start(session, accepted);
          return accepted;
        });
  }

  private void start(Session session, List<Fired> fired) throws SQLException {
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
      return;
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
    write(session, fresh);
  }

  /** Those of one definition together. */
  private void write(Session session, List<RunToStart> starts) throws SQLException {
    Map<Integer, List<RunToStart>> byLane = new LinkedHashMap<>();
    starts.forEach(
        start ->
            byLane
                .computeIfAbsent(start.definition().lane(), lane -> new ArrayList<>())
                .add(start));
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
    }
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
