package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;

/**
 * What a statement that ends runs has done.
 *
 * @param runs how many it ended
 * @param followed whether something follows the end of one of them; such runs are marked
 */
public record EndedRuns(int runs, boolean followed) {
  static final EndedRuns NONE = new EndedRuns(0, false);

  /** Ends runs, and marks those that something follows in the same transaction. */
  public static EndedRuns by(Session session, Query ending) throws SQLException {
    int[] runs = {0};
    Rows followed = new Rows("run uuid");
    ending.forEach(
        row -> {
          runs[0]++;
          if (row.getBoolean("followed")) {
            followed.add(Column.uuid(row, "run_id"));
          }
        });
    return new EndedRuns(runs[0], mark(session, followed));
  }

  /** Marks runs that have ended and that something follows; says whether there are any. */
  static boolean mark(Session session, Rows followed) throws SQLException {
    if (!followed.isEmpty()) {
      session.query("ended_mark").set("runs", followed).update();
    }
    return !followed.isEmpty();
  }
}
