package dev.standpipe.internal.store;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.settle.ResultRange;
import dev.standpipe.internal.store.settle.Settler;
import dev.standpipe.internal.store.sharedrows.SharedRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code task} table. */
class JdbcTasks implements Tasks {
  /** So many results that follow each other are read faster as such than one by one. */
  private static final int SHORTEST_STRETCH = 32;

  protected final Database database;
  private final SharedRows sharedRows;

  JdbcTasks(Database database, Settler settling) {
    this.database = database;
    this.sharedRows = new SharedRows(database, settling);
  }

  @Override
  public ClaimedBatch claim(UUID owner, List<LaneQueue> queues, int limit) {
    Rows rows = new Rows("lane integer", "priority smallint", "seq bigint");
    for (LaneQueue queue : queues) {
      QueuePlace from = queue.from();
      rows.add(queue.lane(), (short) from.priority(), from.seq());
    }
    return database.autocommit(
        session -> {
          ClaimShares shares = new ClaimShares(limit);
          session
              .query("task_claim")
              .set("owner", owner)
              .set("queues", rows)
              .set("limit", limit)
              .forEach(
                  row -> {
                    shares.among(row.getInt("lanes"));
                    Claimed task = claimed(row);
                    if (SharedRows.claimed(row, task, shares::add)) {
                      shares.more(task.lane());
                    }
                  });
          return shares.batch();
        });
  }

  @Override
  public List<Claimed> claimSuspects(UUID owner, Collection<Integer> lanes, int held, int most) {
    Rows rows = new Rows("lane integer");
    lanes.forEach(rows::add);
    return database.autocommit(
        session ->
            session
                .query("task_claim_suspects")
                .set("owner", owner)
                .set("lanes", rows)
                .set("held", held)
                .set("most", most)
                .list(JdbcTasks::claimed));
  }

  protected static Claimed claimed(ResultSet row) throws SQLException {
    return new Claimed(
        Column.uuid(row, "run_id"),
        row.getLong("id"),
        row.getString("node"),
        row.getInt("idx"),
        row.getInt("lane"),
        row.getInt("priority"),
        row.getLong("token"),
        row.getInt("attempt"),
        row.getInt("crashes"),
        row.getBoolean("running"),
        row.getLong("seq"));
  }

  @Override
  public List<@Nullable String> values(List<ResultKey> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    List<ResultRange> stretches = ResultRange.of(keys);
    if (stretches.size() * SHORTEST_STRETCH <= keys.size()) {
      return database.autocommit(session -> ResultRange.values(session, stretches));
    }
    Rows rows = new Rows("run uuid", "node text", "idx integer");
    keys.forEach(key -> rows.add(key.run(), key.node(), key.index()));
    return database.autocommit(
        session -> {
          List<@Nullable String> values = new ArrayList<>(keys.size());
          session
              .query("task_values")
              .set("keys", rows)
              .forEach(row -> values.add(row.getString("value")));
          return values;
        });
  }

  @Override
  public List<@Nullable LastTurn> lastTurns(List<ResultKey> loops) {
    Rows keys = new Rows("run uuid", "node text", "idx integer");
    loops.forEach(loop -> keys.add(loop.run(), loop.node(), loop.index()));
    return database.autocommit(
        session -> {
          List<@Nullable LastTurn> turns = new ArrayList<>(loops.size());
          session
              .query("task_last_turns")
              .set("keys", keys)
              .forEach(
                  row -> {
                    String state = row.getString("value");
                    turns.add(
                        state == null
                            ? null
                            : new LastTurn(row.getInt("turn"), row.getInt("oldest"), state));
                  });
          return turns;
        });
  }

  @Override
  public List<NodeEnding> endings(List<NodeKey> keys) {
    if (keys.isEmpty()) {
      return List.of();
    }
    Rows rows = new Rows("run uuid", "node text", "first integer", "last integer");
    keys.forEach(key -> rows.add(key.run(), key.node(), key.first(), key.last()));
    return database.autocommit(
        session ->
            session
                .query("task_endings")
                .set("keys", rows)
                .list(
                    row ->
                        new NodeEnding(
                            row.getBoolean("skipped"),
                            row.getBoolean("failed"),
                            row.getBoolean("upstream_failed"),
                            row.getString("value"))));
  }

  @Override
  public boolean ended(ResultKey step) {
    return database
        .autocommit(
            session ->
                session
                    .query("task_ended")
                    .set("run", step.run())
                    .set("node", step.node())
                    .set("idx", step.index())
                    .first(row -> true))
        .isPresent();
  }

  @Override
  public List<NodeKey> tolerated(Collection<UUID> runs) {
    Rows rows = new Rows("run uuid");
    runs.forEach(rows::add);
    return database.autocommit(
        session ->
            session
                .query("task_tolerated")
                .set("runs", rows)
                .list(row -> new NodeKey(Column.uuid(row, "run_id"), row.getString("node"))));
  }

  @Override
  public List<Element> elements(UUID run, String node, int from, int to, int limit) {
    return database.autocommit(
        session ->
            session
                .query("task_elements")
                .set("run", run)
                .set("node", node)
                .set("from", from)
                .set("to", to)
                .set("limit", limit)
                .list(row -> new Element(row.getInt("idx"), row.getString("value"))));
  }

  @Override
  public OptionalInt lastElement(UUID run, String node, int from, int to) {
    Optional<Integer> last =
        database.autocommit(
            session ->
                session
                    .query("task_last_element")
                    .set("run", run)
                    .set("node", node)
                    .set("from", from)
                    .set("to", to)
                    .first(row -> row.getInt("idx")));
    return last.isPresent() ? OptionalInt.of(last.get()) : OptionalInt.empty();
  }

  @Override
  public int live(UUID run, Collection<String> nodes, int limit) {
    Rows rows = new Rows("node text");
    nodes.forEach(rows::add);
    return database
        .autocommit(
            session ->
                session
                    .query("task_live")
                    .set("run", run)
                    .set("nodes", rows)
                    .set("limit", limit)
                    .first(row -> row.getInt("live")))
        .orElse(0);
  }

  @Override
  public Waited waited(ResultKey step) {
    return database.autocommit(
        session ->
            session
                .query("task_waited")
                .set("run", step.run())
                .set("node", step.node())
                .set("idx", step.index())
                .first(
                    row ->
                        new Waited(
                            row.getBoolean("snoozed"), Micros.instant(row.getLong("now_us"))))
                .orElseThrow());
  }

  @Override
  public Optional<String> context(UUID run, String key) {
    return database.autocommit(
        session ->
            session
                .query("task_context")
                .set("run", run)
                .set("key", key)
                .first(row -> row.getString("value")));
  }

  @Override
  public List<Integer> succeeded(UUID run, String node) {
    return database.autocommit(
        session ->
            session
                .query("task_succeeded")
                .set("run", run)
                .set("node", node)
                .list(row -> row.getInt("idx")));
  }

  @Override
  public Reply settle(UUID owner, List<Settlement> settlements) {
    return sharedRows.settle(owner, settlements);
  }

  @Override
  public Reply settleJoined(UUID owner, Settlement settlement) {
    return sharedRows.settleJoined(owner, settlement);
  }

  @Override
  public List<Boolean> recorded(List<Settlement> settlements) {
    Rows keys = new Rows("run uuid", "node text", "idx integer", "token bigint");
    settlements.forEach(s -> keys.add(s.run(), s.node(), s.index(), s.token()));
    return database.autocommit(
        session ->
            session
                .query("task_recorded")
                .set("keys", keys)
                .list(row -> row.getBoolean("recorded")));
  }

  @Override
  public List<TaskRef> held(UUID owner) {
    SharedRows.dissolveOf(owner, database);
    return database.autocommit(
        session ->
            session
                .query("task_held")
                .set("owner", owner)
                .list(
                    row ->
                        new TaskRef(
                            Column.uuid(row, "run_id"), row.getLong("id"), row.getLong("token"))));
  }

  @Override
  public int promote(int limit) {
    return database.autocommit(
        session -> session.query("task_promote").set("limit", limit).update());
  }

  @Override
  public Optional<Duration> nextDue() {
    return database.autocommit(
        session ->
            session.query("task_next_due").first(row -> Micros.duration(row.getLong("due_us"))));
  }
}
