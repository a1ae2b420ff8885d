package dev.standpipe.internal.store;

import dev.standpipe.RunInfo;
import dev.standpipe.spi.Follows;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The {@code ended} table, and what is written when a row leaves it. */
final class JdbcFollows implements Follows {
  private final Database database;
  private final JdbcRuns runs;

  JdbcFollows(Database database, JdbcRuns runs) {
    this.database = database;
    this.runs = runs;
  }

  @Override
  public List<UUID> ended(int limit) {
    return database.each(
        session ->
            session
                .query("ended_list")
                .set("limit", limit)
                .list(row -> Column.uuid(row, "run_id")));
  }

  @Override
  public Optional<RunInfo> follow(UUID run, Function<RunInfo, List<Dispatch>> what) {
    return database.together(
        session -> {
          if (session.query("ended_take").set("run", run).update() == 0) {
            return Optional.empty();
          }
          RunInfo info =
              session.query("run_find").set("run", run).first(JdbcRuns::runInfo).orElseThrow();
          for (Dispatch dispatch : what.apply(info)) {
            start(session, run, dispatch);
          }
          return Optional.of(info);
        });
  }

  private void start(Session session, UUID original, Dispatch dispatch) throws SQLException {
    runs.write(
        session,
        dispatch.pipeline(),
        dispatch.lane(),
        JdbcRuns.starting(List.of(dispatch.run())),
        JdbcRuns.first(dispatch.entries()));
    session
        .query("dispatch_add")
        .set("run", dispatch.run().id())
        .set("original", original)
        .set("kind", dispatch.kind())
        .update();
  }
}
