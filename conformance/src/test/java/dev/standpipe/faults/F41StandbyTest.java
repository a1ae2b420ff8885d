package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * F41: the address leads to a standby for a while, and then to the primary again. Connections that
 * were opened to the standby stay open, in the engine and in the pool; nobody restarts anything.
 */
class F41StandbyTest {
  @Test
  void processesReplaceConnectionsToAStandby() throws InterruptedException {
    try (PostgresServer primary = PostgresServer.start();
        Wire wire = Wire.to(primary.port())) {
      String url = wire.through(primary.freshJdbcUrl());
      Pipeline<Integer, Integer> pipeline = threeSteps("three", Duration.ofMillis(5));
      Heard heard = new Heard();
      try (HikariDataSource pool =
              PostgresServer.pool(PostgresServer.dataSource(url), 10, Duration.ofSeconds(2));
          EngineFixture processes = new EngineFixture(pool)) {
        Standpipe process =
            processes.start(
                processes.process(pipeline).lease(Duration.ofSeconds(1)).listener(heard));
        List<Run<Integer>> runs =
            new ArrayList<>(process.startAll(pipeline, Collections.nCopies(200, 0)));
        runs.get(0).await(PATIENCE);
        try (PostgresServer standby = primary.standbyCopy()) {
          wire.leadTo(standby.port());
          wire.cut();
          wire.heal();
          await().atMost(PATIENCE).until(() -> hasMetTheStandby(heard));
          wire.leadTo(primary.port());
          runs.add(process.start(pipeline, 0));
          assertThat(EngineFixture.await(runs)).containsOnly(3);
        }
      }
    }
  }

  /** All who write have, and so hold a connection to it. */
  private static boolean hasMetTheStandby(Heard heard) {
    return heard.all(Event.DatabaseLost.class).stream()
            .filter(lost -> lost.reason().contains("25006"))
            .map(Event.DatabaseLost::part)
            .distinct()
            .count()
        >= 2;
  }
}
