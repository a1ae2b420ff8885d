package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
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
 * F16: of three workers one is cut off for three leases. It interrupts its bodies, the others
 * finish its work, and what it writes when it is back is refused. Then it works again.
 */
class F16PartitionTest {
  /** Of the one that is cut off. */
  private static final Duration LEASE = Duration.ofSeconds(4);

  /** Of the others, who are not to lose theirs: so long that the machine may stall. */
  private static final Duration LONG_LEASE = Duration.ofSeconds(10);

  private static final Duration PAUSE = Duration.ofMillis(100);

  /** For the one that is cut off: longer than it can trust its lease. */
  private static final Duration LONGER = Duration.ofSeconds(5);

  @TempDir private Path directory;

  @Test
  void aPartitionedProcessIsReplacedAndComesBack() {
    String url = PostgresServer.hasty().freshJdbcUrl();
    DataSource source = PostgresServer.dataSource(url);
    try (Wire wire = Wire.to(PostgresServer.hasty().port());
        EngineFixture processes = new EngineFixture(source);
        Workers workers = new Workers(directory)) {
      workers.hireReady("near", url, LONG_LEASE, PAUSE);
      workers.hireReady("nearer", url, LONG_LEASE, PAUSE);
      WorkerJvm far =
          workers.hireReady("far", wire.through(url) + "&socketTimeout=1", LEASE, LONGER);
      List<Run<Integer>> runs =
          new ArrayList<>(
              processes
                  .client()
                  .startAll(FaultWorker.flowOfClients(), Collections.nCopies(150, 1)));
      workers.awaitCount("far", What.STARTED, 4);
      wire.silence();
      EngineFixture.query(source, "select pg_sleep(" + 3 * LEASE.toSeconds() + ")");
      wire.heal();
      long before = workers.count("far", What.ACCEPTED);
      runs.addAll(
          processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(50, 2)));
      await().atMost(Workers.PATIENCE).until(() -> workers.count("far", What.ACCEPTED) > before);
      far.terminate(); // or all would wait for the steps it takes so long for
      far.awaitExit();

      Audit audit = workers.assertAllWell(source, runs);
      // At least those: on a starved machine it can lose its lease once more.
      assertThat(workers.count("far", What.INTERRUPTED)).isGreaterThanOrEqualTo(4);
      assertThat(workers.count("far", What.STALE)).isGreaterThanOrEqualTo(4);
      assertThat(audit.count(What.STALE))
          .as("nobody else's")
          .isEqualTo(workers.count("far", What.STALE));
      assertThat(far.output()).anyMatch(line -> line.contains("event=lease_lost"));
    }
  }
}
