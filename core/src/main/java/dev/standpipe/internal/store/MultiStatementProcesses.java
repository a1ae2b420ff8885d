package dev.standpipe.internal.store;

import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** Processes on a database where each statement writes one table. */
final class MultiStatementProcesses extends JdbcProcesses {
  MultiStatementProcesses(Database database) {
    super(database);
  }

  @Override
  protected boolean renew(Session session, UUID process, Duration lease) throws SQLException {
    return super.renew(session, process, lease)
        && session.query("process_heard_of").set("id", process).update() == 1;
  }

  @Override
  protected List<ReapedTask> free(Session session, UUID process, boolean counted)
      throws SQLException {
    session.query("process_crash_attempts").set("id", process).update();
    return super.free(session, process, counted);
  }
}
