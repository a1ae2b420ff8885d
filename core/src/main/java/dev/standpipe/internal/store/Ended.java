package dev.standpipe.internal.store;

import java.sql.SQLException;

/**
 * What a statement that ends runs has done.
 *
 * @param runs how many it ended
 * @param followed whether something follows the end of one of them; such runs are marked
 */
record Ended(int runs, boolean followed) {
  static final Ended NONE = new Ended(0, false);

  /** Ends runs, and marks those that something follows in the same transaction. */
  static Ended by(Session session, Query ending) throws SQLException {
    int[] runs = {0};
    Rows followed = new Rows("run uuid");
    ending.forEach(
        row -> {
          runs[0]++;
          if (row.getBoolean("followed")) {
            followed.add(Column.uuid(row, "run_id"));
          }
        });
    return new Ended(runs[0], mark(session, followed));
  }

  /** Marks runs that have ended and that something follows; says whether there are any. */
  static boolean mark(Session session, Rows followed) throws SQLException {
    if (!followed.isEmpty()) {
      session.query("ended_mark").set("runs", followed).update();
    }
    return !followed.isEmpty();
  }
}
