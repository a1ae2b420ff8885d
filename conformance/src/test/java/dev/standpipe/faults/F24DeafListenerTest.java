package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * F24: the connection on which a process listens dies without a word, or there is none. Work is
 * picked up within the poll interval all the same.
 */
class F24DeafListenerTest {
  private static final Duration POLL = Duration.ofMillis(500);

  /** What a busy machine adds. Far below the lease, after which everything is looked at again. */
  private static final Duration SLACK = Duration.ofSeconds(15);

  private static final Duration LEASE = Duration.ofMinutes(2);

  private final String url = PostgresServer.shared().freshJdbcUrl();
  private final Wire wire = Wire.to(PostgresServer.shared().port());
  private final EngineFixture processes = new EngineFixture(PostgresServer.dataSource(url));
  private final Pipeline<String, String> pipeline =
      EngineFixture.single("echo", (text, ctx) -> text);

  @AfterEach
  void close() {
    processes.close();
    wire.close();
  }

  @Test
  void aDeafListenerDelaysAPickupByOnePollInterval() throws InterruptedException {
    processes.start(server());
    await().atMost(PATIENCE).until(() -> wire.silence("listen \"") > 0);
    assertPickedUpInTime();
    await().atMost(PATIENCE).until(() -> listeners().equals("2")); // one of them is dead
  }

  @Test
  void aBrokenListenerIsReplaced() throws InterruptedException {
    processes.start(server());
    await().atMost(PATIENCE).until(() -> listeners().equals("1"));
    processes.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen %' and datname = current_database()");
    assertPickedUpInTime();
    await().atMost(PATIENCE).until(() -> listeners().equals("1"));
  }

  @Test
  void pollingAlonePicksUpWithinThePollInterval() throws InterruptedException {
    processes.start(server().notifications(false));
    assertThat(listeners()).isEqualTo("0");
    assertPickedUpInTime();
  }

  private StandpipeBuilder server() {
    return Standpipe.on(PostgresServer.dataSource(wire.through(url)))
        .serve(pipeline)
        .pollInterval(POLL)
        .lease(LEASE)
        .grace(Duration.ZERO);
  }

  private void assertPickedUpInTime() throws InterruptedException {
    Standpipe client = processes.client();
    for (int i = 0; i < 5; i++) {
      long startedAt = System.nanoTime();
      assertThat(client.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
      assertThat(Duration.ofNanos(System.nanoTime() - startedAt)).isLessThan(POLL.plus(SLACK));
    }
  }

  private String listeners() {
    return processes
        .query(
            "select count(*) from pg_stat_activity where query like 'listen %' and datname = current_database()")
        .get(0);
  }
}
