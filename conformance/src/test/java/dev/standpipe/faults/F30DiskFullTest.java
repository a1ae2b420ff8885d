package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SmallDisk;
import dev.standpipe.error.StandpipeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F30: the disk under the write-ahead log is full. The server goes down; nothing that it had
 * acknowledged is lost, and all goes on when there is space again.
 */
class F30DiskFullTest {
  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final int MEGABYTES = 96;

  @TempDir private Path directory;

  @Test
  void aFullDiskLosesNothingThatWasAcknowledged() {
    try (SmallDisk disk =
            SmallDisk.of(MEGABYTES).orElseThrow(() -> Needs.unmet("Mounting a disk takes root"));
        PostgresServer server = PostgresServer.start()) {
      server.moveLogTo(disk.path());
      String url = server.freshJdbcUrl();
      DataSource source = PostgresServer.dataSource(url);
      try (EngineFixture processes = new EngineFixture(source);
          Workers workers = new Workers(directory)) {
        Standpipe client = processes.start(Standpipe.on(source).outageTolerance(Duration.ZERO));
        workers.hireReady("worker", url, LEASE, Duration.ofMillis(5));
        List<Run<Integer>> acknowledged = new ArrayList<>(start(client));
        workers.awaitCount("worker", What.ACCEPTED, 20);
        disk.fill();
        startUntilRefused(client, source, acknowledged);
        long accepted = workers.count(What.ACCEPTED);
        disk.free();
        server.recover();
        acknowledged.addAll(start(client));
        workers.awaitAccepted(accepted + 1);

        workers.assertAllWell(source, started(source, client));
        assertThat(acknowledged).allMatch(run -> run.status().isTerminal());
      }
    }
  }

  private static List<Run<Integer>> start(Standpipe client) {
    return client.startAll(FaultWorker.flowOfClients(), Collections.nCopies(20, 1));
  }

  /** Each round takes a new piece of the log, until there is none to be had. */
  private static void startUntilRefused(
      Standpipe client, DataSource source, List<Run<Integer>> acknowledged) {
    await()
        .atMost(Workers.PATIENCE)
        .until(
            () -> {
              try {
                acknowledged.addAll(start(client));
                EngineFixture.query(source, "select pg_switch_wal()");
                return false;
              } catch (StandpipeException | IllegalStateException e) {
                return true;
              }
            });
  }

  /** Those acknowledged, and those whose acknowledgement was lost with the server. */
  private static List<Run<Integer>> started(DataSource source, Standpipe client) {
    return EngineFixture.query(source, "select id from standpipe_run").stream()
        .map(id -> client.run(FaultWorker.flowOfClients(), UUID.fromString(id)))
        .toList();
  }
}
