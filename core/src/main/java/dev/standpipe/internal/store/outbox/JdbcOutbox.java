package dev.standpipe.internal.store.outbox;

import dev.standpipe.internal.Labels;
import dev.standpipe.internal.outbox.NewEvent;
import dev.standpipe.internal.outbox.StoredOutbox;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.outbox.DeadLetter;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.SinkInfo;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The tables whose names begin with {@code outbox}. */
public final class JdbcOutbox implements StoredOutbox {
  private static final String SINK = "sink";
  private static final String EVENT = "event";
  private static final String EVENTS = "events";
  private static final String LIMIT = "limit";

  private final Database database;
  private final boolean whole;

  public JdbcOutbox(Database database) {
    this.database = database;
    this.whole = database.dialect().has(Capability.ONE_STATEMENT_WRITES);
  }

  @Override
  public UUID add(NewEvent event) {
    return database.inTransaction(
        session -> {
          OutboxRows.write(session, List.of(new OutboxRows.EmittedRow(event, null, null, null)));
          return event.dedupeKey() == null ? event.id() : owner(session, event);
        });
  }

  private static UUID owner(Session session, NewEvent event) throws SQLException {
    Rows keys = new Rows("type text", "key text");
    keys.add(event.type(), event.dedupeKey());
    return session
        .query("outbox_key_owners")
        .set("keys", keys)
        .first(row -> Column.uuid(row, "event_id"))
        .orElse(event.id());
  }

  @Override
  public void addSink(String sink) {
    database.inTransaction(
        session -> {
          if (session.query("outbox_add_sink").set(SINK, sink).update() > 0) {
            session.query("outbox_add_slots").set(SINK, sink).update();
          }
          return sink;
        });
    adopt();
  }

  @Override
  public void adopt() {
    database.inTransaction(
        session -> {
          int adopted = session.query("outbox_adopt").update();
          if (!whole) {
            session.query("outbox_adopted").update();
          }
          return adopted;
        });
  }

  @Override
  public List<SinkInfo> sinks() {
    return database.autocommit(session -> session.query("outbox_sinks").list(JdbcOutbox::info));
  }

  @Override
  public List<String> sinkNames() {
    return database.autocommit(
        session -> session.query("outbox_sink_names").list(row -> row.getString("name")));
  }

  @Override
  public boolean isReady(String sink) {
    return database.autocommit(
        session ->
            session
                .query("outbox_ready")
                .set(SINK, sink)
                .first(row -> row.getInt("slot"))
                .isPresent());
  }

  @Override
  public Optional<SlotLease> claim(String sink, UUID owner, Duration lease) {
    return database.inTransaction(
        session ->
            session
                .query("outbox_claim")
                .set(SINK, sink)
                .set("relay", owner)
                .set("lease_us", Micros.of(lease))
                .first(
                    row ->
                        new SlotLease(
                            sink,
                            row.getInt("slot"),
                            row.getLong("token"),
                            row.getInt("failures"))));
  }

  /**
   * One that was emitted before there was a sink, and handed to none, comes before those that were
   * emitted after its commit: it is handed over first.
   */
  @Override
  public List<DueEvent> due(SlotLease lease, int limit) {
    for (boolean first = true; ; first = false) {
      Fetched fetched = fetch(lease, limit);
      if (!fetched.unrelayed) {
        return fetched.events;
      }
      adopt();
      if (!first && fetched.events.isEmpty()) {
        return List.of();
      }
    }
  }

  private static final class Fetched {
    final List<DueEvent> events = new ArrayList<>();
    boolean unrelayed;
  }

  private Fetched fetch(SlotLease lease, int limit) {
    return database.autocommit(
        session -> {
          Fetched fetched = new Fetched();
          of(session.query("outbox_fetch"), lease)
              .set(LIMIT, limit)
              .forEach(
                  row -> {
                    fetched.unrelayed |= row.getBoolean("unrelayed");
                    int tries = row.getInt("tries");
                    Duration blocked = Micros.duration(row.getLong("blocked_us"));
                    fetched.events.add(new DueEvent(event(row, tries), tries, blocked));
                  });
          return fetched;
        });
  }

  @Override
  public boolean note(SlotLease lease, Duration longer, Noted noted) {
    return database.inTransaction(
        session -> {
          boolean ours =
              of(session.query("outbox_hold"), lease)
                      .set("token", lease.token())
                      .set("lease_us", Micros.of(longer))
                      .update()
                  > 0;
          if (ours) {
            if (!noted.dead().isEmpty()) {
              bury(session, lease, noted.dead());
            }
            if (!noted.failed().isEmpty()) {
              putOff(session, lease, noted.failed());
            }
            take(session, lease, noted);
          }
          return ours;
        });
  }

  private void take(Session session, SlotLease lease, Noted noted) throws SQLException {
    Rows rows = new Rows("place bigint", "id uuid");
    noted.taken().forEach(due -> rows.add(due.event().place(), due.event().id()));
    noted
        .dead()
        .forEach(failed -> rows.add(failed.event().event().place(), failed.event().event().id()));
    if (rows.isEmpty()) {
      return;
    }
    if (session.has(Capability.MANY_WRITERS)) {
      session.query("outbox_share").set(EVENTS, rows).list(row -> true);
    }
    of(session.query("outbox_take"), lease).set(EVENTS, rows).update();
    if (!whole) {
      session.query("outbox_drop").set(SINK, lease.sink()).set(EVENTS, rows).update();
    }
  }

  private static void putOff(Session session, SlotLease lease, List<FailedEvent> failed)
      throws SQLException {
    Rows rows = new Rows("place bigint", "tries integer", "delay_us bigint", "error prose");
    for (FailedEvent one : failed) {
      rows.add(
          one.event().event().place(),
          one.tries(),
          Micros.of(one.delay()),
          one.error().orElse(null));
    }
    of(session.query("outbox_put_off"), lease).set(EVENTS, rows).update();
  }

  private static void bury(Session session, SlotLease lease, List<FailedEvent> dead)
      throws SQLException {
    Rows rows = new Rows("id uuid", "tries integer", "error prose");
    dead.forEach(
        one -> rows.add(one.event().event().id(), one.tries(), one.error().orElse("unknown")));
    session.query("outbox_bury").set(SINK, lease.sink()).set(EVENTS, rows).update();
  }

  @Override
  public void giveBack(SlotLease lease, int failures, Duration rest) {
    database.autocommit(
        session ->
            of(session.query("outbox_give_back"), lease)
                .set("token", lease.token())
                .set("failures", failures)
                .set("rest_us", Micros.of(rest))
                .update());
  }

  private static Query of(Query query, SlotLease lease) {
    return query.set(SINK, lease.sink()).set("slot", lease.slot());
  }

  @Override
  public List<OutboxEvent> pending(String sink, int limit) {
    return database.autocommit(
        session ->
            session
                .query("outbox_pending")
                .set(SINK, sink)
                .set(LIMIT, limit)
                .list(row -> event(row, row.getInt("tries"))));
  }

  @Override
  public List<DeadLetter> deadLetters(String sink, int limit) {
    return database.autocommit(
        session ->
            session
                .query("outbox_dead_letters")
                .set(SINK, sink)
                .set(LIMIT, limit)
                .list(
                    row ->
                        new DeadLetter(
                            event(row, row.getInt("tries") - 1),
                            row.getInt("tries"),
                            row.getString("error"),
                            Micros.instant(row.getLong("died_us")))));
  }

  @Override
  public boolean replay(String sink, UUID event, Audited audited) {
    return changed(
        "replay",
        sink,
        event,
        audited,
        session -> {
          int revived =
              session.query("outbox_revive_dead").set(SINK, sink).set(EVENT, event).update();
          session.query("outbox_drop_dead").set(SINK, sink).set(EVENT, event).update();
          return revived;
        });
  }

  @Override
  public boolean discard(String sink, UUID event, Audited audited) {
    return changed(
        "discard",
        sink,
        event,
        audited,
        session -> {
          session.query("outbox_lock_event").set(EVENT, event).list(row -> true);
          int dropped =
              session.query("outbox_drop_dead").set(SINK, sink).set(EVENT, event).update();
          if (dropped > 0) {
            session.query("outbox_drop_event").set(SINK, sink).set(EVENT, event).update();
          }
          return dropped;
        });
  }

  @Override
  public boolean pause(String sink, Audited audited) {
    return changed(
        "pause",
        sink,
        null,
        audited,
        session ->
            session
                .query("outbox_pause")
                .set(SINK, sink)
                .set("actor", audited.by())
                .set("reason", audited.reason())
                .update());
  }

  @Override
  public boolean resume(String sink, Audited audited) {
    return changed(
        "resume",
        sink,
        null,
        audited,
        session -> session.query("outbox_resume").set(SINK, sink).update());
  }

  @Override
  public boolean remove(String sink, Audited audited) {
    return changed(
        "remove",
        sink,
        null,
        audited,
        session -> {
          int removed = session.query("outbox_remove_sink").set(SINK, sink).update();
          for (String what :
              List.of("outbox_remove_slots", "outbox_remove_dead", "outbox_remove_deliveries")) {
            session.query(what).set(SINK, sink).update();
          }
          session.query("outbox_remove_unwanted").update();
          return removed;
        });
  }

  /** What an operator does, and who did it and why, in one transaction. */
  private boolean changed(
      String action,
      String sink,
      @Nullable UUID event,
      Audited audited,
      Database.SessionWork<Integer> work) {
    return database.inTransaction(
        session -> {
          boolean done = work.in(session) > 0;
          if (done) {
            session
                .query("outbox_note")
                .set("actor", audited.by())
                .set("action", action)
                .set(SINK, sink)
                .set(EVENT, event)
                .set("reason", audited.reason())
                .update();
          }
          return done;
        });
  }

  private static SinkInfo info(ResultSet row) throws SQLException {
    Long paused = Column.longOrNull(row, "paused_us");
    Long oldest = Column.longOrNull(row, "oldest_us");
    return new SinkInfo(
        row.getString("name"),
        row.getLong("pending"),
        Optional.ofNullable(oldest).map(micros -> Micros.duration(Math.max(0, micros))),
        row.getLong("dead"),
        paused == null
            ? Optional.empty()
            : Optional.of(
                new SinkInfo.SinkPause(
                    Micros.instant(paused),
                    row.getString("paused_by"),
                    row.getString("pause_reason"))));
  }

  private static OutboxEvent event(ResultSet row, int tries) throws SQLException {
    UUID run = Column.uuidOrNull(row, "run_id");
    Instant created = Micros.instant(row.getLong("created_us"));
    return new OutboxEvent(
        Column.uuid(row, "id"),
        row.getLong("place"),
        row.getString("aggregatetype"),
        row.getString("aggregateid"),
        row.getString("type"),
        row.getString("payload"),
        Labels.parse(row.getString("headers")),
        created,
        run == null
            ? Optional.empty()
            : Optional.of(new OutboxEvent.Origin(run, row.getString("node"), row.getInt("idx"))),
        new OutboxEvent.Delivery(tries + 1, Micros.instant(row.getLong("now_us"))));
  }
}
