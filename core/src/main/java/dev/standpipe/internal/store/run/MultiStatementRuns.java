package dev.standpipe.internal.store.run;

import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Runs on a database where each statement writes one table. */
public final class MultiStatementRuns extends JdbcRuns {
  public MultiStatementRuns(Database database) {
    super(database);
  }

  @Override
  protected boolean writesInOneStatement() {
    return false;
  }

  @Override
  protected List<UUID> write(Session session, Registered definition, Rows runs, Rows entries)
      throws SQLException {
    List<UUID> started =
        session
            .query("run_start")
            .set("pipeline", definition.graph().pipeline())
            .set("lane", definition.lane())
            .set("hash", definition.hash())
            .set("runs", runs)
            .list(row -> Column.uuid(row, "id"));
    Rows fresh = only(runs, started);
    session.query("run_start_results").set("runs", fresh).update();
    session
        .query("run_start_tasks")
        .set("lane", definition.lane())
        .set("runs", fresh)
        .set("entries", entries)
        .update();
    return started;
  }

  @Override
  protected void clear(Session session, UUID run) throws SQLException {
    session.query("run_put_off").set("run", run).update();
    super.clear(session, run);
  }

  @Override
  protected void cutOff(Session session, UUID run) throws SQLException {
    session.query("run_cut_off_attempts").set("run", run).update();
    session.query("run_cut_off_told").set("run", run).update();
    super.cutOff(session, run);
  }

  private static Rows only(Rows runs, List<UUID> started) {
    if (started.size() == runs.size()) {
      return runs;
    }
    Set<UUID> ids = Set.copyOf(started);
    int id = runs.column("id");
    return runs.where(row -> row[id] instanceof UUID run && ids.contains(run));
  }
}
