package dev.standpipe.internal.store;

import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.Settler;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Tasks on a database where each statement writes one table. */
final class MultiStatementTasks extends JdbcTasks {
  private static final Comparator<Claimed> ORDER =
      Comparator.comparingInt(Claimed::priority).reversed().thenComparingLong(Claimed::seq);

  MultiStatementTasks(Database database, Settler settling) {
    super(database, settling);
  }

  /**
   * A limit cannot depend on a row here, so there is one statement for each lane that has ready
   * work. Which those are is read first, so that a claim that finds nothing does not wait to write.
   * Such a statement returns no order, so the order is made here.
   */
  @Override
  public ClaimedBatch claim(UUID owner, List<LaneQueue> queues, int limit) {
    List<Integer> busy = busy(queues, limit);
    if (busy.isEmpty()) {
      return ClaimedBatch.NONE;
    }
    ClaimedBatch batch =
        busy.size() == 1
            ? database.autocommit(session -> claim(session, owner, busy, limit))
            : database.inTransaction(session -> claim(session, owner, busy, limit));
    return new ClaimedBatch(batch.tasks().stream().sorted(ORDER).toList(), batch.more());
  }

  /** The first of these lanes that have ready work. */
  private List<Integer> busy(List<LaneQueue> queues, int limit) {
    Set<Integer> ready =
        database
            .autocommit(
                session -> session.query("task_ready_lanes").list(row -> row.getInt("lane")))
            .stream()
            .collect(Collectors.toSet());
    return queues.stream().map(LaneQueue::lane).filter(ready::contains).limit(limit).toList();
  }

  private static ClaimedBatch claim(Session session, UUID owner, List<Integer> busy, int limit)
      throws SQLException {
    ClaimShares shares = new ClaimShares(limit);
    shares.among(busy.size());
    for (int turn = 0; turn < busy.size(); turn++) {
      session
          .query("task_claim")
          .set("owner", owner)
          .set("lane", busy.get(turn))
          .set("limit", shares.of(turn))
          .forEach(row -> shares.add(claimed(row)));
    }
    return shares.batch();
  }
}
