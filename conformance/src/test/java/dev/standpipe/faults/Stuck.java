package dev.standpipe.faults;

import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.WorkerJvm;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.awaitility.core.ConditionTimeoutException;

/** Tells all there is to know when something does not come to its end. */
final class Stuck {
  private static final List<String> TABLES =
      List.of("process", "serving", "task", "arrival", "attempt");
  private static final int MOST_ROWS = 50;
  private static final int MOST_LINES = 400;

  private final DataSource source;
  private final List<WorkerJvm> workers;

  Stuck(DataSource source, List<WorkerJvm> workers) {
    this.source = source;
    this.workers = workers;
  }

  /** Waits; if that takes too long, dumps tables, locks, logs and threads, and fails. */
  void unless(Duration patience, Callable<Boolean> done) {
    try {
      await().atMost(patience).until(done);
    } catch (ConditionTimeoutException e) {
      throw new AssertionError(dump(), e);
    }
  }

  private String dump() {
    StringBuilder dump = new StringBuilder("Stuck. What there is:\n");
    for (String table : TABLES) {
      append(dump, table, "select * from standpipe_" + table + " limit " + MOST_ROWS);
    }
    append(
        dump,
        "sessions",
        "select pid, state, wait_event, pg_blocking_pids(pid), query from pg_stat_activity where datname = current_database()");
    for (WorkerJvm worker : workers) {
      if (worker.isAlive()) {
        worker.dumpThreads();
        worker.awaitLine("Full thread dump");
      }
      List<String> output = worker.output();
      dump.append("== ").append(worker.name()).append('\n');
      output.stream()
          .skip(Math.max(0, output.size() - MOST_LINES))
          .forEach(line -> dump.append(line).append('\n'));
    }
    return dump.toString();
  }

  private void append(StringBuilder dump, String title, String sql) {
    dump.append("== ").append(title).append('\n');
    EngineFixture.query(source, sql).forEach(row -> dump.append(row).append('\n'));
  }
}
