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
 * F9: a worker is asked to end while its bodies run. Those that finish within the grace are
 * committed, the lease is kept meanwhile, the rest is given back at once, and nothing is counted.
 */
class F09SigtermTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final String url = PostgresServer.hasty().freshJdbcUrl();
  private final DataSource source = PostgresServer.dataSource(url);

  /**
   * The bodies take longer than a lease lasts, the grace still longer, and another could reap. The
   * lease is long enough not to be lost because the machine stalls.
   */
  @Test
  void sigtermCommitsStepsFinishedWithinTheGrace() {
    Duration lease = Duration.ofSeconds(5);
    try (EngineFixture processes = new EngineFixture(source);
        WorkerJvm leaving =
            worker("leaving", lease, Duration.ofSeconds(9), Duration.ofMinutes(1))) {
      List<Run<Integer>> runs = start(processes, 4);
      await().atMost(PATIENCE).until(() -> count("leaving", What.STARTED) == 4);
      leaving.terminate();
      try (WorkerJvm other = worker("other", lease, Duration.ZERO, Duration.ZERO)) {
        assertThat(leaving.awaitExit()).isEqualTo(128 + 15);
        assertThat(count("leaving", What.ACCEPTED)).isEqualTo(4);
        assertThat(count("leaving", What.STARTED)).isEqualTo(4);
        assertThat(count("leaving", What.INTERRUPTED)).isZero();
        assertAllWell(runs);
        assertThat(other.output()).noneMatch(line -> line.contains("event=process_reaped"));
      }
    }
  }

  /** Leases last longer than the test may: what is not given back would never be finished. */
  @Test
  void sigtermReleasesUnfinishedStepsAtOnce() {
    Duration lease = Duration.ofMinutes(30);
    try (EngineFixture processes = new EngineFixture(source);
        WorkerJvm leaving = worker("leaving", lease, FaultWorker.FOREVER, Duration.ofSeconds(1))) {
      List<Run<Integer>> runs = start(processes, 10);
      await().atMost(PATIENCE).until(() -> count("leaving", What.STARTED) == 4);
      leaving.terminate();
      assertThat(leaving.awaitExit()).isEqualTo(128 + 15);
      assertThat(count("leaving", What.INTERRUPTED)).isEqualTo(4);
      assertThat(EngineFixture.query(source, "select count(*) from standpipe_process"))
          .containsExactly("0");
      assertThat(
              EngineFixture.query(
                  source, "select distinct state, attempt, crashes from standpipe_task"))
          .containsExactly("0|1|0");
      try (WorkerJvm other = worker("other", lease, Duration.ZERO, Duration.ZERO)) {
        assertAllWell(runs);
        assertThat(other.isAlive()).isTrue();
      }
    }
  }

  private void assertAllWell(List<Run<Integer>> runs) {
    await().atMost(PATIENCE).until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
    List<Entry> histories = new ArrayList<>(history("leaving"));
    histories.addAll(history("other"));
    Audit audit = new Audit(source, histories);
    audit.assertAllSucceeded(runs.size(), FaultWorker.STEPS);
    audit.assertNoAttemptWasUsedUp();
    audit.assertHistoriesAgree();
    assertThat(EngineFixture.query(source, "select count(*) from standpipe_attempt"))
        .containsExactly("0");
    assertThat(audit.count(What.STALE)).isZero();
  }

  private static List<Run<Integer>> start(EngineFixture processes, int count) {
    return processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(count, 1));
  }

  private WorkerJvm worker(String name, Duration lease, Duration pause, Duration grace) {
    WorkerJvm worker =
        FaultWorker.setup(name, directory, url, lease)
            .argument("pause", pause.toMillis())
            .argument("grace", grace.toMillis())
            .start();
    worker.awaitLine("ready");
    return worker;
  }

  private long count(String worker, What what) {
    return history(worker).stream().filter(entry -> entry.what() == what).count();
  }

  private List<Entry> history(String worker) {
    return History.read(directory.resolve(worker + ".history"));
  }
}
