package dev.standpipe.internal.store;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Tasks on a database where each statement writes one table. */
final class StepwiseTasks extends JdbcTasks {
  StepwiseTasks(Database database) {
    super(database);
  }

  @Override
  protected List<Integer> guard(
      Session session, UUID owner, Settlements batch, List<Integer> positions) throws SQLException {
    throw new SQLException("to be written");
  }
}
