package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.spi.Event.ExecutionSucceeded;
import dev.standpipe.spi.Event.LeaseLost;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * F19: the database gives up on statements, locks and idle transactions after a moment. That is
 * tried again, in smaller batches if need be, until it succeeds; nothing fails and nothing hangs.
 */
class F19TinyTimeoutsTest {
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final int RUNS = Soak.count("runs", 100, 10_000);

  private final String url = PostgresServer.shared().freshJdbcUrl();
  private final EngineFixture processes = new EngineFixture(PostgresServer.dataSource(url));
  private final Heard heard = new Heard();

  /** Forks, so that it is settled in a transaction of several statements. */
  private final Pipeline<Integer, Integer> pipeline =
      Pipeline.define(
          "wide",
          Integer.class,
          Integer.class,
          flow ->
              flow.input()
                  .expand("split", Integer.class, n -> List.of(n, n))
                  .step("each", Integer.class, n -> n)
                  .collapse("sum", Integer.class, list -> list.stream().mapToInt(n -> n).sum()));

  @AfterEach
  void close() {
    processes.close();
  }

  /** Every row takes its time, so that no batch of the usual size can ever be committed. */
  @Test
  void aSlowBatchIsHalvedUntilItCommits() throws InterruptedException {
    Standpipe client = processes.client();
    processes.execute(
        """
        create function slow() returns trigger language plpgsql as $$
        begin perform pg_sleep(0.004); return new; end $$
        """);
    processes.execute(
        "create trigger slow before insert on standpipe_result for each row when (new.node <> '$input') execute function slow()");
    List<Run<Integer>> runs = start(client);
    serve(url + options("-c statement_timeout=150"));
    assertAllWell(runs);
  }

  @Test
  void aLockTimeoutIsRetried() throws InterruptedException, SQLException {
    serve(url + options("-c lock_timeout=5"));
    Standpipe client = processes.client();
    try (Connection connection = processes.source().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (int i = 0; i < 3; i++) {
        List<Run<Integer>> runs = start(client);
        int enough = succeeded() + 10;
        await().atMost(PATIENCE).until(() -> succeeded() > enough);
        statement.execute("lock table standpipe_task in exclusive mode");
        statement.execute("select pg_sleep(0.1)");
        connection.commit();
        assertAllWell(runs);
      }
    }
  }

  @Test
  void anIdleTransactionTimeoutIsRetried() throws InterruptedException {
    try (Wire wire = Wire.to(PostgresServer.shared().port())) {
      serve(wire.through(url) + options("-c idle_in_transaction_session_timeout=250"));
      List<Run<Integer>> runs = start(processes.client());
      await().atMost(PATIENCE).until(() -> succeeded() > 20);
      wire.slow(Duration.ofMillis(800), Integer.MAX_VALUE);
      processes.query("select pg_sleep(4)");
      wire.heal();
      assertAllWell(runs);
      processes.close();
    }
  }

  private void serve(String through) {
    processes.start(
        Standpipe.on(PostgresServer.dataSource(through))
            .serve(pipeline)
            .lease(LEASE)
            .grace(Duration.ofSeconds(2))
            .listener(heard));
  }

  private static String options(String text) {
    return "&options=" + URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private List<Run<Integer>> start(Standpipe client) {
    return client.startAll(pipeline, IntStream.range(0, RUNS).boxed().toList());
  }

  private int succeeded() {
    return heard.all(ExecutionSucceeded.class).size();
  }

  private void assertAllWell(List<Run<Integer>> runs) throws InterruptedException {
    assertThat(EngineFixture.await(runs))
        .isEqualTo(IntStream.range(0, RUNS).map(n -> 2 * n).boxed().toList());
    assertThat(heard.all(LeaseLost.class)).isEmpty();
    assertThat(processes.query("select count(*) from standpipe_attempt")).containsExactly("0");
    assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
  }
}
