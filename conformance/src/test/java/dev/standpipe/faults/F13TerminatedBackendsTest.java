package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F13: every connection of every process is terminated, again and again. Nothing is lost, nothing
 * is done twice, and the processes reconnect by themselves.
 */
class F13TerminatedBackendsTest {
  private static final int STORMS = Soak.count("storms", 20, 1_000);
  private static final Duration LEASE = Duration.ofSeconds(5);

  @TempDir private Path directory;

  @Test
  void aStormOfTerminatedConnectionsOnlyDelaysTheWork() {
    String url = PostgresServer.shared().freshJdbcUrl();
    DataSource source = PostgresServer.dataSource(url);
    try (EngineFixture processes = new EngineFixture(source);
        Workers workers = new Workers(directory)) {
      List<Run<Integer>> runs =
          processes
              .client()
              .startAll(FaultWorker.flowOfClients(), Collections.nCopies(10 * STORMS, 1));
      workers.hireReady("first", url, LEASE, Duration.ofMillis(20));
      workers.hireReady("second", url, LEASE, Duration.ofMillis(20));
      for (int storm = 0; storm < STORMS; storm++) {
        workers.awaitAccepted(workers.count(What.ACCEPTED) + 5);
        terminateAll(source);
      }
      workers.assertAllWell(source, runs);
      assertThat(workers.all()).allMatch(jvm -> jvm.isAlive());
      assertThat(workers.said("event=database_lost")).isPositive();
    }
  }

  private static void terminateAll(DataSource source) {
    EngineFixture.query(
        source,
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
        """);
  }
}
