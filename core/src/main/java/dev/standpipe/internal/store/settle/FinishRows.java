package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Finished;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.run.JdbcRuns;
import java.sql.SQLException;
import java.util.List;

/** Runs that a step ends early. */
final class FinishRows {
  private FinishRows() {}

  /** Writes what each run ends with, and stops all that it does, if it is not stopped yet. */
  static void write(Session session, List<Settlement> settled) throws SQLException {
    for (Settlement s : settled) {
      if (s.verdict() instanceof Finished finished) {
        Rows one = new Rows("run uuid", "node text", "value text", "grace_us bigint");
        one.add(s.run(), s.node(), finished.output(), finished.graceMicros());
        session.query("settle_finish").set("finishes", one).update();
        if (session.query("settle_finish_by").set("finishes", one).update() > 0) {
          String reason = "the step " + s.node() + " has ended the run that called it";
          JdbcRuns.cancelCalled(session, s.run(), finished.graceMicros(), reason);
        }
      }
    }
  }
}
