package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.spi.Event.LeaseLost;
import dev.standpipe.spi.Event.ProcessReaped;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** F17: the way to the database becomes slow. The work does too, and no lease is lost over it. */
class F17SlowNetworkTest {
  private static final Duration LEASE = Duration.ofSeconds(8);
  private static final int RUNS = Soak.count("runs", 20, 2_000);

  @Test
  void halfASecondOfLatencyLosesNoLease() throws InterruptedException {
    slowDown(Duration.ofMillis(500), Integer.MAX_VALUE);
  }

  @Test
  void aLineOf64KilobitsLosesNoLease() throws InterruptedException {
    slowDown(Duration.ZERO, 64_000 / 8);
  }

  private static void slowDown(Duration latency, int bytesPerSecond) throws InterruptedException {
    String url = PostgresServer.hasty().freshJdbcUrl();
    try (Wire wire = Wire.to(PostgresServer.hasty().port());
        HikariDataSource pool =
            PostgresServer.pool(
                PostgresServer.dataSource(wire.through(url)), 8, Duration.ofSeconds(30));
        EngineFixture processes = new EngineFixture(PostgresServer.dataSource(url))) {
      Pipeline<Integer, Integer> pipeline = threeSteps("three", Duration.ZERO);
      Heard far = new Heard();
      Heard witness = new Heard();
      processes.start(
          Standpipe.on(pool).serve(pipeline).lease(LEASE).grace(PATIENCE).listener(far));
      Pipeline<String, String> other = EngineFixture.single("other", (text, ctx) -> text);
      processes.start(processes.process(other).lease(LEASE).listener(witness));
      Standpipe client = processes.client();
      assertThat(client.start(pipeline, 0).await(PATIENCE)).isEqualTo(3);

      wire.slow(latency, bytesPerSecond);
      List<Run<Integer>> runs =
          client.startAll(pipeline, IntStream.range(0, RUNS).boxed().toList());
      assertThat(EngineFixture.await(runs))
          .isEqualTo(IntStream.range(3, RUNS + 3).boxed().toList());
      assertThat(far.all(LeaseLost.class)).isEmpty();
      assertThat(witness.all(ProcessReaped.class)).isEmpty();
      assertThat(processes.query("select count(*) from standpipe_attempt")).containsExactly("0");
      wire.heal();
    }
  }
}
