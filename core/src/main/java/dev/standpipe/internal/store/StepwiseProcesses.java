package dev.standpipe.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Processes on a database where each statement writes one table. */
final class StepwiseProcesses extends JdbcProcesses {
  StepwiseProcesses(Database database) {
    super(database);
  }

  @Override
  protected List<Freed> free(Session session, UUID process) throws SQLException {
    session.query("process_crash_attempts").set("id", process).update();
    return super.free(session, process);
  }
}
