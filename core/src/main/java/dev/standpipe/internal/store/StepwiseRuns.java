package dev.standpipe.internal.store;

import java.util.List;
import java.util.UUID;

/** Runs on a database where each statement writes one table. */
final class StepwiseRuns extends JdbcRuns {
  StepwiseRuns(Database database) {
    super(database);
  }

  @Override
  protected List<UUID> write(String pipeline, int lane, Rows runs, Rows entries) {
    return database.together(
        session -> {
          List<UUID> fresh =
              session
                  .query("run_start")
                  .set("pipeline", pipeline)
                  .set("lane", lane)
                  .set("runs", runs)
                  .list(row -> Column.uuid(row, "id"));
          session.query("run_start_results").set("runs", runs).update();
          session
              .query("run_start_tasks")
              .set("lane", lane)
              .set("runs", runs)
              .set("entries", entries)
              .update();
          return fresh;
        });
  }
}
