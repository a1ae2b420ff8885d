package dev.standpipe.internal.store.run;

import dev.standpipe.RunStatus;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.RunQueries.Keyed;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.store.AuditRows;
import dev.standpipe.internal.store.RunTaskLock;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EndedRuns;
import dev.standpipe.internal.store.settle.SingleRow;
import dev.standpipe.internal.store.sharedrows.StartRows;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** Writes the {@code run} table. */
public class JdbcRuns implements Runs {
  protected final Database database;

  public JdbcRuns(Database database) {
    this.database = database;
  }

  @Override
  public List<UUID> start(Registered definition, List<NewRun> runs, List<Entry> entries) {
    List<UUID> started = startIfDefined(definition, runs, entries);
    if (started.isEmpty() && !runs.isEmpty()) {
      database.autocommit(session -> requireDefined(session, definition));
    }
    return started;
  }

  /** Of runs of which none was started, others have the keys, or their definition is gone. */
  private static boolean requireDefined(Session session, Registered definition)
      throws SQLException {
    return session
        .query("lane_there")
        .set("lane", definition.lane())
        .set("hash", definition.hash())
        .first(row -> true)
        .orElseThrow(() -> new LaneGoneException(definition));
  }

  private List<UUID> startIfDefined(Registered definition, List<NewRun> runs, List<Entry> entries) {
    if (writesInOneStatement() && SingleRow.isStart(runs, entries)) {
      NewRun run = runs.get(0);
      boolean started =
          database.autocommit(session -> SingleRow.start(session, definition, run, entries.get(0)));
      return started ? List.of(run.id()) : List.of();
    }
    Rows starting = writesInOneStatement() ? StartRows.of(runs, entries) : StartRows.apart(runs);
    Rows first = first(entries);
    boolean keyed = runs.stream().anyMatch(run -> run.key() != null);
    boolean timed = runs.stream().anyMatch(run -> run.deadlineMicros() != null);
    if (writesInOneStatement() && !timed && !keyed) {
      boolean defined =
          database.autocommit(
              session ->
                  start(session.query("run_start_unkeyed"), definition, starting, first)
                      .first(row -> true)
                      .isPresent());
      return defined ? runs.stream().map(NewRun::id).toList() : List.of();
    }
    if (writesInOneStatement() && !timed && runs.size() == 1) {
      return database.autocommit(session -> write(session, definition, starting, first));
    }
    return database.inTransaction(
        session -> {
          List<UUID> started = write(session, definition, starting, first);
          if (started.size() < runs.size()) {
            requireSameInputs(session, definition.graph().pipeline(), runs);
          }
          JdbcDeadlines.add(session, runs, started);
          return started;
        });
  }

  static Rows first(List<Entry> entries) {
    Rows first = new Rows("node text", "task bigint");
    entries.forEach(entry -> first.add(entry.node(), entry.task()));
    return first;
  }

  @Override
  public void rerun(UUID original, Registered definition, Again again, Audited audited) {
    NewRun run = again.run();
    database.inTransaction(
        session -> {
          writeOne(session, definition, StartRows.apart(List.of(run)), first(again.entries()));
          session.query("run_rerun").set("run", run.id()).set("original", original).update();
          AuditRows.add(session, "rerun", original, audited);
          return true;
        });
  }

  @Override
  public Resume fork(
      Registered definition, Forked fork, Function<TakenOver, Begin> plan, Audited audited) {
    Rows run = StartRows.apart(List.of(fork.run()));
    return database.inTransaction(
        session -> {
          writeOne(session, definition, run, first(List.of()));
          return ForkRows.takeOver(session, fork, plan, audited);
        });
  }

  /** Writes a run that has no key, so that nothing but a lost definition keeps it from being. */
  void writeOne(Session session, Registered definition, Rows run, Rows entries)
      throws SQLException {
    if (write(session, definition, run, entries).isEmpty()) {
      throw new LaneGoneException(definition);
    }
  }

  /** Whether {@link #write} is atomic by itself. */
  protected boolean writesInOneStatement() {
    return true;
  }

  /** Writes everything with one statement; a dialect that cannot writes table by table. */
  protected List<UUID> write(Session session, Registered definition, Rows runs, Rows entries)
      throws SQLException {
    return start(session.query("run_start"), definition, runs, entries)
        .list(row -> Column.uuid(row, "id"));
  }

  private static Query start(Query query, Registered definition, Rows runs, Rows entries) {
    return query
        .set("pipeline", definition.graph().pipeline())
        .set("lane", definition.lane())
        .set("hash", definition.hash())
        .set("runs", runs)
        .set("entries", entries);
  }

  /** Takes all of a start back if one of its keys belongs to a run with another input. */
  private static void requireSameInputs(Session session, String pipeline, List<NewRun> runs)
      throws SQLException {
    Rows keys = new Rows("key text");
    runs.stream().map(NewRun::key).filter(Objects::nonNull).forEach(keys::add);
    Map<String, Keyed> existing = new HashMap<>();
    JdbcRunQueries.keyed(session, pipeline, keys)
        .forEach(keyed -> existing.put(keyed.key(), keyed));
    for (NewRun run : runs) {
      Keyed keyed = existing.get(run.key());
      if (keyed != null && !keyed.keyHash().equals(run.keyHash())) {
        throw new DuplicateKeyException(pipeline, keyed.key(), keyed.id());
      }
    }
  }

  @Override
  public boolean finishStopping(UUID run) {
    return RunTaskLock.tasksOf(
        run,
        database,
        session -> {
          clear(session, run);
          session.query("chained_abandon").set("run", run).update();
          cutOff(session, run);
          int marks =
              session.query("run_unmark").set("run", run).update()
                  + session.query("run_uncancel").set("run", run).update();
          return marks > 0
              && EndedRuns.by(session, session.query("run_halted").set("run", run)).runs() > 0;
        });
  }

  /** Removes what nobody holds, and keeps the times that some of it waited for. */
  protected void clear(Session session, UUID run) throws SQLException {
    session.query("run_clear").set("run", run).update();
  }

  /** Cuts off what runs of a canceled run after its grace, records it, and tells its processes. */
  protected void cutOff(Session session, UUID run) throws SQLException {
    session.query("run_cut_off").set("run", run).update();
  }

  @Override
  public Optional<RunStatus> cancel(UUID run, long graceMicros, Audited audited) {
    return database.inTransaction(
        session -> {
          cancel(session, run, graceMicros, audited);
          return JdbcRunQueries.find(session, run).map(RunInfo::status);
        });
  }

  /** With all that it has called: nothing new is called any more, once the run itself is marked. */
  private static void cancel(Session session, UUID run, long graceMicros, Audited audited)
      throws SQLException {
    if (session.query("run_cancel").set("run", run).update() == 0) {
      return;
    }
    session.query("run_cut_off_by").set("run", run).set("grace_us", graceMicros).update();
    AuditRows.add(session, "cancel", run, audited);
    for (UUID called : JdbcCalls.live(session, run)) {
      cancel(session, called, graceMicros, audited);
    }
  }

  /** Cancels what a run that is stopped has called: nobody waits for it any more. */
  public static void cancelCalled(Session session, UUID run, long graceMicros, String reason)
      throws SQLException {
    Audited audited = new Audited("standpipe", reason);
    for (UUID called : JdbcCalls.live(session, run)) {
      cancel(session, called, graceMicros, audited);
    }
  }

  @Override
  public void forgetCutOff(UUID owner, Collection<TaskRef> tries) {
    database.inTransaction(
        session -> {
          for (TaskRef one : tries) {
            session
                .query("run_forget_cut_off")
                .set("owner", owner)
                .set("run", one.run())
                .set("task", one.id())
                .set("token", one.token())
                .update();
          }
          return true;
        });
  }
}
