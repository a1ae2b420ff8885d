package dev.standpipe.internal.store;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/** Tasks on a database where each statement writes one table. */
final class StepwiseTasks extends JdbcTasks {
  private static final Comparator<Claimed> ORDER =
      Comparator.comparingInt(Claimed::priority).reversed().thenComparingLong(Claimed::seq);

  StepwiseTasks(Database database, Settling settling) {
    super(database, settling);
  }

  /** Such a statement returns no order, so the order is made here. */
  @Override
  public List<Claimed> claim(UUID owner, List<Share> shares) {
    List<Claimed> claimed =
        shares.size() == 1
            ? database.each(session -> claim(session, owner, shares))
            : database.together(session -> claim(session, owner, shares));
    return claimed.stream().sorted(ORDER).toList();
  }

  private static List<Claimed> claim(Session session, UUID owner, List<Share> shares)
      throws SQLException {
    List<Claimed> claimed = new ArrayList<>();
    for (Share share : shares) {
      session
          .query("task_claim")
          .set("owner", owner)
          .set("lane", share.lane())
          .set("limit", share.limit())
          .forEach(row -> claimed.add(claimed(row)));
    }
    return claimed;
  }
}
