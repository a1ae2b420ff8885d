package dev.standpipe.internal.store.settle;

import dev.standpipe.RunStatus;
import dev.standpipe.internal.port.Tasks.Closed;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.jdbc.Words;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What closing runs has done that may have tolerated failures.
 *
 * @param closed those that have ended
 * @param followed whether something follows the end of one of them
 */
record ClosedRuns(List<Closed> closed, boolean followed) {
  /** Ends runs by what they have tolerated; those that somebody has stopped meanwhile are added. */
  static ClosedRuns of(Session session, Rows last, List<UUID> stopped) throws SQLException {
    if (last.isEmpty()) {
      return new ClosedRuns(List.of(), false);
    }
    List<Closed> closed = new ArrayList<>();
    Rows followed = new Rows("run uuid");
    session
        .query("settle_close")
        .set("runs", last)
        .forEach(
            row -> {
              UUID run = Column.uuid(row, "run_id");
              RunStatus status = Words.parse(RunStatus.class, row.getString("status"));
              closed.add(new Closed(run, status));
              if (row.getBoolean("followed")) {
                followed.add(run);
              }
            });
    if (closed.size() < last.size()) {
      session
          .query("run_stopping")
          .set("runs", last)
          .forEach(row -> stopped.add(Column.uuid(row, "id")));
    }
    return new ClosedRuns(closed, EndedRuns.mark(session, followed));
  }
}
