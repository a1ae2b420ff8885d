package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.spi.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Commits that the database refuses, in whole or in part, harm nobody else. */
class RefusedCommitTest {
  private final EngineFixture engine = new EngineFixture(PostgresServer.shared().freshDatabase());

  @AfterEach
  void close() {
    engine.close();
  }

  /**
   * Steps of halted runs are settled after the others, in a transaction of their own. Here it fails
   * a few times, as it may in a deadlock: what was committed before must not be sent again.
   */
  @Test
  void aFailedDrainDoesNotHarmItsNeighbours() throws InterruptedException {
    int count = 12;
    CountDownLatch running = new CountDownLatch(2 * count);
    CountDownLatch early = new CountDownLatch(1);
    CountDownLatch together = new CountDownLatch(1);
    Pipeline<Integer, Integer> halting = halting(running, together);
    Pipeline<Integer, Integer> chain =
        Pipeline.define(
            "chain",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("a", Integer.class, n -> meet(running, n < 2 ? early : together, n))
                    .step("b", Integer.class, n -> n + 1));
    Heard heard = new Heard();
    Standpipe standpipe =
        engine.start(engine.process(halting, chain).concurrency(4 * count).listener(heard));
    failToDrain(5);
    List<Integer> inputs = IntStream.range(0, count).boxed().toList();
    List<Run<Integer>> halted = standpipe.startAll(halting, inputs);
    List<Run<Integer>> neighbours = standpipe.startAll(chain, inputs);
    running.await();
    await()
        .atMost(PATIENCE)
        .until(() -> halted.stream().allMatch(run -> run.status() == RunStatus.HALTING));
    finishWhileNobodyCanCommit(early, together);

    assertThat(EngineFixture.await(neighbours))
        .isEqualTo(IntStream.range(1, count + 1).boxed().toList());
    await()
        .atMost(PATIENCE)
        .until(() -> halted.stream().allMatch(run -> run.status() == RunStatus.HALTED));
    assertThat(heard.all(Event.StaleWriteBlocked.class)).isEmpty();
    assertThat(engine.query("select last_value > 5 from failures")).containsExactly("t");
  }

  /** The first keep the committers busy, so that the others are then committed in one batch. */
  private void finishWhileNobodyCanCommit(CountDownLatch... waves) {
    try (Connection connection = engine.source().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table standpipe_task in exclusive mode");
      for (CountDownLatch wave : waves) {
        wave.countDown();
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Pipeline<Integer, Integer> halting(CountDownLatch running, CountDownLatch go) {
    return Pipeline.define(
        "halting",
        Integer.class,
        Integer.class,
        flow -> {
          flow.input()
              .step(
                  "fails",
                  Integer.class,
                  n -> {
                    running.await();
                    throw new IllegalStateException("as it should");
                  })
              .retry(Retry.never());
          return flow.input().step("sibling", Integer.class, n -> meet(running, go, n));
        });
  }

  private static int meet(CountDownLatch running, CountDownLatch go, int n)
      throws InterruptedException {
    running.countDown();
    go.await();
    return n;
  }

  private void failToDrain(int times) {
    engine.execute("create sequence failures");
    engine.execute(
        """
            create function fail_to_drain() returns trigger language plpgsql as $$
            begin
              if old.state = 1
                 and (select status from standpipe_run where id = old.run_id) = 'halting'
                 and nextval('failures') <= %d then
                raise exception 'deadlock' using errcode = '40P01';
              end if;
              return old;
            end $$
            """
            .formatted(times));
    engine.execute(
        "create trigger fail_to_drain before delete on standpipe_task for each row execute function fail_to_drain()");
  }

  @Test
  void aRefusedOutcomeDoesNotHoldUpTheOthers() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("three", Duration.ofMillis(5));
    Standpipe standpipe = engine.serve(pipeline);
    engine.execute(
        "alter table standpipe_result add constraint whim check (node <> 'b' or value not like '-%')");
    List<Run<Integer>> refused = standpipe.startAll(pipeline, List.of(-10, -11, -12));
    List<Run<Integer>> runs = standpipe.startAll(pipeline, IntStream.range(0, 60).boxed().toList());
    assertThat(EngineFixture.await(runs)).isEqualTo(IntStream.range(3, 63).boxed().toList());
    engine.execute("alter table standpipe_result drop constraint whim");
    assertThat(EngineFixture.await(refused)).containsExactly(-7, -8, -9);
    assertThat(engine.query("select count(*) from standpipe_attempt")).containsExactly("0");
  }
}
