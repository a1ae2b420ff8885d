package dev.standpipe.internal.store;

import dev.standpipe.internal.outbox.StoredOutbox;
import dev.standpipe.internal.port.Calls;
import dev.standpipe.internal.port.Deadlines;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.Pauses;
import dev.standpipe.internal.port.PendingWork;
import dev.standpipe.internal.port.Processes;
import dev.standpipe.internal.port.Quarantines;
import dev.standpipe.internal.port.RunEnds;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.Signals;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.outbox.JdbcOutbox;
import dev.standpipe.internal.store.run.JdbcCalls;
import dev.standpipe.internal.store.run.JdbcDeadlines;
import dev.standpipe.internal.store.run.JdbcRunEnds;
import dev.standpipe.internal.store.run.JdbcRunQueries;
import dev.standpipe.internal.store.run.JdbcRuns;
import dev.standpipe.internal.store.run.JdbcSchedules;
import dev.standpipe.internal.store.run.JdbcSignals;
import dev.standpipe.internal.store.run.MultiStatementRuns;
import dev.standpipe.internal.store.settle.MultiStatementSettler;
import dev.standpipe.internal.store.settle.Settler;
import dev.standpipe.internal.substep.StoredSubSteps;

/** A store over JDBC. */
public final class JdbcStore implements Store {
  private final Database database;
  private final JdbcDefinitions definitions;
  private final JdbcProcesses processes;
  private final JdbcRuns runs;
  private final JdbcRunQueries runQueries;
  private final JdbcDeadlines deadlines;
  private final JdbcTasks tasks;
  private final JdbcRunEnds follows;
  private final JdbcQuarantines quarantines;
  private final JdbcPauses pauses;
  private final JdbcSignals signals;
  private final JdbcCalls calls;
  private final JdbcSchedules schedules;
  private final JdbcOutbox outbox;
  private final JdbcSubSteps subSteps;
  private final JdbcPendingWork needs;

  /** Speaks this dialect on these connections. */
  public JdbcStore(Dialect dialect, Sql sql, Connections connections) {
    this.database = new Database(dialect, sql, connections);
    this.definitions = new JdbcDefinitions(database);
    boolean whole = dialect.has(Capability.ONE_STATEMENT_WRITES);
    this.processes = whole ? new JdbcProcesses(database) : new MultiStatementProcesses(database);
    this.runs = whole ? new JdbcRuns(database) : new MultiStatementRuns(database);
    this.runQueries = new JdbcRunQueries(database);
    this.deadlines = new JdbcDeadlines(database);
    this.tasks =
        whole
            ? new JdbcTasks(database, new Settler(database))
            : new MultiStatementTasks(database, new MultiStatementSettler(database));
    this.follows = new JdbcRunEnds(database, runs);
    this.quarantines = new JdbcQuarantines(database);
    this.pauses = new JdbcPauses(database);
    this.signals = new JdbcSignals(database);
    this.calls = new JdbcCalls(database, runs);
    this.schedules = new JdbcSchedules(database, runs);
    this.outbox = new JdbcOutbox(database);
    this.subSteps = new JdbcSubSteps(database);
    this.needs = new JdbcPendingWork(database);
  }

  @Override
  public Definitions definitions() {
    return definitions;
  }

  @Override
  public Processes processes() {
    return processes;
  }

  @Override
  public Runs runs() {
    return runs;
  }

  @Override
  public RunQueries runQueries() {
    return runQueries;
  }

  @Override
  public Deadlines deadlines() {
    return deadlines;
  }

  @Override
  public Tasks tasks() {
    return tasks;
  }

  @Override
  public RunEnds runEnds() {
    return follows;
  }

  @Override
  public Quarantines quarantines() {
    return quarantines;
  }

  @Override
  public Pauses pauses() {
    return pauses;
  }

  @Override
  public Signals signals() {
    return signals;
  }

  @Override
  public Calls calls() {
    return calls;
  }

  @Override
  public StoredSchedules schedules() {
    return schedules;
  }

  @Override
  public StoredOutbox outbox() {
    return outbox;
  }

  @Override
  public StoredSubSteps subSteps() {
    return subSteps;
  }

  @Override
  public PendingWork pendingWork() {
    return needs;
  }

  @Override
  public void close() {
    database.close();
  }
}
