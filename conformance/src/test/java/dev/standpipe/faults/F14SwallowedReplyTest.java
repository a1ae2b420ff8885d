package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.error.StandpipeException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F14: a commit takes effect and its reply is lost with the connection. What became of it is found
 * out by its own step and token: nothing is done twice, and nothing fails that did not.
 */
class F14SwallowedReplyTest {
  private static final int REPLIES = Soak.count("replies", 5, 500);
  private static final Duration LEASE = Duration.ofSeconds(15);

  @TempDir private Path directory;
  private final String url = PostgresServer.shared().freshJdbcUrl();
  private final DataSource source = PostgresServer.dataSource(url);
  private final Wire wire = Wire.to(PostgresServer.shared().port());
  private final EngineFixture processes = new EngineFixture(source);

  @AfterEach
  void close() {
    processes.close();
    wire.close();
  }

  /** Chains are settled by one statement that commits by itself. */
  @Test
  void theReplyToASettlementMayBeLost() {
    repliesMayBeLost("insert into standpipe_result");
  }

  /** Forks, joins and expands take a transaction of several statements. */
  @Test
  void theReplyToCommitMayBeLost() {
    repliesMayBeLost("commit");
  }

  private void repliesMayBeLost(String statement) {
    try (Workers workers = new Workers(directory)) {
      workers.hireReady("deaf", wire.through(url), LEASE, Duration.ofMillis(5));
      wire.swallowReplies(statement, REPLIES);
      List<Run<Integer>> runs =
          processes
              .client()
              .startAll(FaultWorker.flowOfClients(), Collections.nCopies(10 * REPLIES, 1));
      await().atMost(Workers.PATIENCE).until(() -> wire.swallowed() == REPLIES);
      workers.assertAllWell(source, runs);
      assertThat(workers.count(What.STALE)).isZero();
      assertThat(EngineFixture.query(source, "select count(*) from standpipe_attempt"))
          .as("no lease was lost and no step failed")
          .containsExactly("0");
    }
  }

  /** A start looks for its own run before it is sent again. */
  @Test
  void aStartWhoseReplyIsLostFindsItsRun() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("echo", (text, ctx) -> text);
    processes.serve(pipeline);
    Standpipe deaf = processes.start(deaf().grace(Duration.ZERO));
    assertThat(deaf.start(pipeline, "warm").await(PATIENCE)).isEqualTo("warm");
    wire.swallowReplies("insert into standpipe_run", 2);
    Run<String> withoutKey = deaf.start(pipeline, "x");
    Run<String> withKey = deaf.start(pipeline, "y", RunOptions.key("once"));
    assertThat(wire.swallowed()).isEqualTo(2);
    assertThat(EngineFixture.await(List.of(withoutKey, withKey))).containsExactly("x", "y");
    assertThat(processes.query("select count(*) from standpipe_run")).containsExactly("3");
  }

  /** A caller that waits for nothing and hears nothing asks again, with the same key. */
  @Test
  void aStartWhoseReplyIsLostIsRepeatedUnderItsKey() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("echo", (text, ctx) -> text);
    processes.serve(pipeline);
    Standpipe deaf = processes.start(deaf().grace(Duration.ZERO).outageTolerance(Duration.ZERO));
    assertThat(deaf.start(pipeline, "warm").await(PATIENCE)).isEqualTo("warm");
    wire.swallowReplies("insert into standpipe_run", 1);
    RunOptions key = RunOptions.key("once");
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> deaf.start(pipeline, "x", key))
        .satisfies(e -> assertThat(e.code().isRetryable()).isTrue());
    assertThat(wire.swallowed()).isEqualTo(1);
    assertThat(deaf.start(pipeline, "x", key).await(PATIENCE)).isEqualTo("x");
    assertThat(processes.query("select count(*) from standpipe_run where key = 'once'"))
        .containsExactly("1");
  }

  @Test
  void aProcessRejoinsWhenTheReplyIsLost() throws InterruptedException {
    processes.client(); // makes the tables
    wire.swallowReplies("insert into standpipe_process", 2);
    Pipeline<String, String> pipeline = EngineFixture.single("echo", (text, ctx) -> text);
    Standpipe server = processes.start(deaf().serve(pipeline).grace(Duration.ZERO));
    assertThat(wire.swallowed()).isEqualTo(2);
    assertThat(server.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
  }

  /** Its room was given up when the key turned out to be taken, and must not be given up again. */
  @Test
  void aLostKeyLookupFreesItsRoomOnce() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        EngineFixture.single(
            "slow",
            (text, ctx) -> {
              go.await();
              return text;
            });
    Standpipe server =
        processes.start(
            deaf()
                .serve(pipeline)
                .concurrency(2)
                .lease(LEASE)
                .outageTolerance(Duration.ZERO)
                .grace(PATIENCE));
    Run<String> first = server.start(pipeline, "x", RunOptions.key("once"));
    wire.swallowReplies("key = any", 5);
    for (int i = 0; i < 5; i++) {
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> server.start(pipeline, "x", RunOptions.key("once")));
    }
    assertThat(wire.swallowed()).isEqualTo(5);
    List<Run<String>> more = processes.client().startAll(pipeline, Collections.nCopies(10, "y"));
    await().atMost(PATIENCE).until(() -> leased() == 2);
    await().during(Duration.ofSeconds(1)).atMost(PATIENCE).until(() -> leased() == 2);
    go.countDown();
    assertThat(first.await(PATIENCE)).isEqualTo("x");
    assertThat(EngineFixture.await(more)).containsOnly("y");
  }

  private StandpipeBuilder deaf() {
    return Standpipe.on(PostgresServer.dataSource(wire.through(url)));
  }

  private int leased() {
    return Integer.parseInt(
        processes.query("select count(*) from standpipe_task where state = 1").get(0));
  }
}
