package dev.standpipe.internal.store;

import dev.standpipe.spi.Calls;
import dev.standpipe.spi.Deadlines;
import dev.standpipe.spi.Definitions;
import dev.standpipe.spi.Follows;
import dev.standpipe.spi.Needs;
import dev.standpipe.spi.Pauses;
import dev.standpipe.spi.Processes;
import dev.standpipe.spi.Quarantines;
import dev.standpipe.spi.Runs;
import dev.standpipe.spi.Signals;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks;

/** A store over JDBC. */
public final class JdbcStore implements Store {
  private final Database database;
  private final JdbcDefinitions definitions;
  private final JdbcProcesses processes;
  private final JdbcRuns runs;
  private final JdbcDeadlines deadlines;
  private final JdbcTasks tasks;
  private final JdbcFollows follows;
  private final JdbcQuarantines quarantines;
  private final JdbcPauses pauses;
  private final JdbcSignals signals;
  private final JdbcCalls calls;
  private final JdbcNeeds needs;

  /** Speaks this dialect on these connections. */
  public JdbcStore(Dialect dialect, Sql sql, Connections connections) {
    this.database = new Database(dialect, sql, connections);
    this.definitions = new JdbcDefinitions(database);
    boolean whole = dialect.writesInOneStatement();
    this.processes = whole ? new JdbcProcesses(database) : new StepwiseProcesses(database);
    this.runs = whole ? new JdbcRuns(database) : new StepwiseRuns(database);
    this.deadlines = new JdbcDeadlines(database);
    this.tasks =
        whole
            ? new JdbcTasks(database, new Settling(database))
            : new StepwiseTasks(database, new StepwiseSettling(database));
    this.follows = new JdbcFollows(database, runs);
    this.quarantines = new JdbcQuarantines(database);
    this.pauses = new JdbcPauses(database);
    this.signals = new JdbcSignals(database);
    this.calls = new JdbcCalls(database, runs);
    this.needs = new JdbcNeeds(database);
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
  public Deadlines deadlines() {
    return deadlines;
  }

  @Override
  public Tasks tasks() {
    return tasks;
  }

  @Override
  public Follows follows() {
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
  public Needs needs() {
    return needs;
  }

  @Override
  public void close() {
    database.close();
  }
}
