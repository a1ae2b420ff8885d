package dev.standpipe.internal.store;

import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.sharedrows.SharedRows;
import dev.standpipe.internal.substep.StoredSubSteps;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What tries write while they go on; the task of each has a row of its own by then. */
final class JdbcSubSteps implements StoredSubSteps {
  private final Database database;

  JdbcSubSteps(Database database) {
    this.database = database;
  }

  /** A row that is there after a write. */
  private record WrittenKey(ResultKey step, String key) {}

  @Override
  public List<Boolean> write(UUID owner, List<TryWrite> writes) {
    SharedRows.dissolve(writes.stream().map(TryWrite::ref).toList(), database);
    Rows subSteps = newSubSteps();
    Map<ResultKey, TryWrite> checkpoints = new LinkedHashMap<>();
    for (TryWrite write : writes) {
      if (write.memo() instanceof SubStep call) {
        subSteps.add(
            write.ref().run(),
            write.ref().id(),
            write.ref().token(),
            write.node(),
            write.index(),
            call.key(),
            call.value());
      } else {
        checkpoints.put(write.step(), write);
      }
    }
    Set<WrittenKey> calls = new HashSet<>();
    Set<ResultKey> steps = new HashSet<>();
    if (checkpoints.isEmpty()) {
      database.autocommit(session -> calls.addAll(writeSubSteps(session, owner, subSteps)));
    } else {
      database.inTransaction(
          session -> {
            calls.addAll(subSteps.isEmpty() ? Set.of() : writeSubSteps(session, owner, subSteps));
            return steps.addAll(writeCheckpoints(session, owner, rows(checkpoints)));
          });
    }
    return writes.stream()
        .map(
            write ->
                write.memo() instanceof SubStep call
                    ? calls.contains(new WrittenKey(write.step(), call.key()))
                    : steps.contains(write.step()))
        .toList();
  }

  private static Rows newSubSteps() {
    return new Rows(
        "run uuid",
        "task bigint",
        "token bigint",
        "node text",
        "idx integer",
        "key text",
        "value text");
  }

  private static Rows rows(Map<ResultKey, TryWrite> checkpoints) {
    Rows rows =
        new Rows(
            "run uuid", "task bigint", "token bigint", "node text", "idx integer", "value text");
    for (TryWrite write : checkpoints.values()) {
      rows.add(
          write.ref().run(),
          write.ref().id(),
          write.ref().token(),
          write.node(),
          write.index(),
          write.memo().value());
    }
    return rows;
  }

  private static List<WrittenKey> writeSubSteps(Session session, UUID owner, Rows rows)
      throws SQLException {
    return session
        .query("substep_write")
        .set("owner", owner)
        .set("writes", rows)
        .list(row -> new WrittenKey(step(row), row.getString("key")));
  }

  private static List<ResultKey> writeCheckpoints(Session session, UUID owner, Rows rows)
      throws SQLException {
    return session
        .query("checkpoint_write")
        .set("owner", owner)
        .set("writes", rows)
        .list(JdbcSubSteps::step);
  }

  private static ResultKey step(ResultSet row) throws SQLException {
    return new ResultKey(Column.uuid(row, "run_id"), row.getString("node"), row.getInt("idx"));
  }

  @Override
  public Map<String, StoredMemo> subSteps(ResultKey step) {
    Map<String, StoredMemo> stored = new HashMap<>();
    database.autocommit(
        session -> {
          of(session.query("substep_find"), step)
              .forEach(row -> stored.put(row.getString("key"), memo(row)));
          return true;
        });
    return stored;
  }

  private static StoredMemo memo(ResultSet row) throws SQLException {
    return new StoredMemo(row.getString("value"), row.getLong("token"));
  }

  @Override
  public Optional<StoredMemo> checkpoint(ResultKey step) {
    return database.autocommit(
        session -> of(session.query("checkpoint_find"), step).first(JdbcSubSteps::memo));
  }

  private static Query of(Query query, ResultKey step) {
    return query.set("run", step.run()).set("node", step.node()).set("idx", step.index());
  }

  @Override
  public void report(UUID owner, List<Report> reports) {
    Rows rows =
        new Rows(
            "run uuid",
            "node text",
            "idx integer",
            "token bigint",
            "done bigint",
            "total bigint",
            "note prose");
    for (Report report : reports) {
      rows.add(
          report.ref().run(),
          report.node(),
          report.index(),
          report.ref().token(),
          report.done(),
          report.total(),
          report.note());
    }
    database.autocommit(
        session ->
            session.query("progress_write").set("owner", owner).set("reports", rows).update());
  }
}
