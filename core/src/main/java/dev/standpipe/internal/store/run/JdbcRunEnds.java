package dev.standpipe.internal.store.run;

import dev.standpipe.RunStatus;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.RunEnds;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.jdbc.Words;
import dev.standpipe.internal.store.sharedrows.StartRows;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** The {@code ended} table, and what is written when a row leaves it. */
public final class JdbcRunEnds implements RunEnds {
  private static final String COMPENSATED = Words.of(RunStatus.COMPENSATED);
  private static final String COMPENSATION_FAILED = Words.of(RunStatus.COMPENSATION_FAILED);

  private final Database database;
  private final JdbcRuns runs;

  public JdbcRunEnds(Database database, JdbcRuns runs) {
    this.database = database;
    this.runs = runs;
  }

  @Override
  public List<UUID> ended(int skipped, int limit) {
    return database.autocommit(
        session ->
            session
                .query("ended_list")
                .set("skipped", skipped)
                .set("limit", limit)
                .list(row -> Column.uuid(row, "run_id")));
  }

  @Override
  public Optional<FollowUp> follow(UUID run, UUID subject, Function<RunInfo, List<Dispatch>> what) {
    return database.inTransaction(
        session -> {
          if (session.query("ended_take").set("run", run).update() == 0) {
            return Optional.empty();
          }
          boolean succeeded = find(session, run).status() == RunStatus.SUCCEEDED;
          if (!subject.equals(run)) {
            session
                .query("compensated")
                .set("run", subject)
                .set("status", succeeded ? COMPENSATED : COMPENSATION_FAILED)
                .update();
          }
          RunInfo info = find(session, subject);
          List<Dispatch> dispatches = what.apply(info);
          for (Dispatch dispatch : dispatches) {
            start(session, subject, dispatch);
          }
          ChainedRuns chains = new ChainedRuns(session);
          chains.resolve(run, succeeded);
          boolean heard = JdbcCalls.ended(session, subject);
          return Optional.of(
              new FollowUp(
                  info, chains.skipped(), chains.released() || heard || !dispatches.isEmpty()));
        });
  }

  @Override
  public Optional<Chained> chain(RunToStart start, Upstreams waiting) {
    return database.inTransaction(
        session -> {
          ChainedRuns chains = new ChainedRuns(session);
          List<ChainedRuns.Upstream> upstreams = chains.lock(waiting.upstreams());
          if (write(session, start).isEmpty()) {
            return Optional.empty();
          }
          chains.link(start.run().id(), upstreams, waiting);
          return Optional.of(new Chained(!chains.skipped().isEmpty(), chains.released()));
        });
  }

  private static RunInfo find(Session session, UUID run) throws SQLException {
    return JdbcRunQueries.find(session, run).orElseThrow();
  }

  private void start(Session session, UUID original, Dispatch dispatch) throws SQLException {
    if (write(session, dispatch.start()).isEmpty()) {
      throw new LaneGoneException(dispatch.start().definition());
    }
    session
        .query("dispatch_add")
        .set("run", dispatch.start().run().id())
        .set("original", original)
        .set("kind", dispatch.kind())
        .update();
  }

  private List<UUID> write(Session session, RunToStart start) throws SQLException {
    List<NewRun> one = List.of(start.run());
    List<UUID> started =
        runs.write(
            session, start.definition(), StartRows.apart(one), JdbcRuns.first(start.entries()));
    JdbcDeadlines.add(session, one, started);
    return started;
  }
}
