package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F3: a worker is frozen past its lease, another finishes its work, and it is thawed. Its bodies
 * are interrupted; what it writes changes nothing, is counted and logged.
 */
class F03ZombieWorkerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Not to be lost before it is frozen, though the machine may stall for seconds. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  private static final List<String> TABLES = List.of("run", "task", "result", "arrival", "attempt");

  @TempDir private Path directory;

  @Test
  void aZombiesWritesChangeNothing() {
    String url = PostgresServer.hasty().freshJdbcUrl();
    DataSource source = PostgresServer.dataSource(url);
    try (EngineFixture processes = new EngineFixture(source);
        WorkerJvm zombie = worker("zombie", url, FaultWorker.FOREVER)) {
      zombie.awaitLine("ready");
      List<Run<Integer>> runs =
          processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(6, 1));
      await().atMost(PATIENCE).until(() -> count("zombie", What.STARTED) == 4);
      zombie.freeze();

      try (WorkerJvm successor = worker("successor", url, Duration.ZERO)) {
        await()
            .atMost(PATIENCE)
            .until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
        List<String> before = dump(source);
        zombie.thaw();
        await().atMost(PATIENCE).until(() -> count("zombie", What.STALE) == 4);
        zombie.terminate();
        assertThat(zombie.awaitExit()).isEqualTo(128 + 15);

        assertThat(dump(source)).isEqualTo(before);
        assertThat(count("zombie", What.INTERRUPTED)).isEqualTo(4);
        assertThat(count("zombie", What.ACCEPTED)).isZero();
        assertThat(zombie.output())
            .filteredOn(line -> line.contains("event=stale_write_blocked"))
            .hasSize(4);
        assertThat(successor.output()).anyMatch(line -> line.contains("event=process_reaped"));
      }
      List<Entry> histories = new ArrayList<>(history("zombie"));
      histories.addAll(history("successor"));
      Audit audit = new Audit(source, histories);
      audit.assertAllSucceeded(runs.size(), FaultWorker.STEPS);
      audit.assertNoAttemptWasUsedUp();
      audit.assertHistoriesAgree();
    }
  }

  private WorkerJvm worker(String name, String url, Duration pause) {
    return FaultWorker.setup(name, directory, url, LEASE)
        .argument("pause", pause.toMillis())
        .argument("grace", 2_000)
        .start();
  }

  private long count(String worker, What what) {
    return history(worker).stream().filter(entry -> entry.what() == what).count();
  }

  private List<Entry> history(String worker) {
    return History.read(directory.resolve(worker + ".history"));
  }

  private static List<String> dump(DataSource source) {
    List<String> rows = new ArrayList<>();
    for (String table : TABLES) {
      EngineFixture.query(source, "select * from standpipe_" + table)
          .forEach(row -> rows.add(table + ": " + row));
    }
    Collections.sort(rows);
    return rows;
  }
}
