package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.spi.Event.LeaseLost;
import dev.standpipe.spi.Event.ProcessReaped;
import dev.standpipe.spi.Event.StaleWriteBlocked;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * The race every lease allows: A holds a step and cannot be heard, its lease runs out, B takes the
 * step and finishes it, A wakes up and is refused. Latches decide who goes when; nothing here
 * depends on how long anything takes.
 */
class LeaseRaceTest {
  /** A must not lose it before it is cut off, though the machine may stall for seconds. */
  private static final Duration LEASE = Duration.ofSeconds(4);

  private final CountDownLatch holding = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);
  private final CountDownLatch wakeUp = new CountDownLatch(1);
  private final Heard heardOfA = new Heard();
  private final Heard heardOfB = new Heard();

  @Test
  void lateSettlementsAreRefusedOnPostgres() throws InterruptedException {
    lateSettlementsAreRefused(PostgresServer.shared().freshDatabase());
  }

  @Test
  void lateSettlementsAreRefusedOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      lateSettlementsAreRefused(file.dataSource());
    }
  }

  private void lateSettlementsAreRefused(DataSource source) throws InterruptedException {
    Pipeline<String, String> slow = single("race", this::hangs);
    Pipeline<String, String> quick = single("race", (text, ctx) -> "B with token " + ctx.token());
    Valve valve = Valve.before(source);
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      Standpipe a =
          processes.start(
              Standpipe.on(valve.dataSource())
                  .serve(slow)
                  .name("A")
                  .lease(LEASE)
                  .grace(PATIENCE)
                  .listener(heardOfA));
      Run<String> run = client.start(slow, "");
      holding.await();
      valve.shut();

      processes.start(
          processes.process(quick).name("B").lease(Duration.ofSeconds(8)).listener(heardOfB));
      assertThat(run.await(PATIENCE)).isEqualTo("B with token 2");
      interrupted.await();
      wakeUp.countDown();
      valve.open();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(heardOfA.all(StaleWriteBlocked.class)).isNotEmpty());
      a.close(); // commits whatever A may still want to commit

      assertOnlyTheResultOfBStands(processes, run);
    }
  }

  /** Hears that it is interrupted, and goes on all the same. */
  private String hangs(String text, StepContext ctx) {
    holding.countDown();
    while (wakeUp.getCount() > 0) {
      try {
        wakeUp.await();
      } catch (InterruptedException e) {
        assertThat(ctx.isCanceled()).isTrue();
        interrupted.countDown();
      }
    }
    return "A with token " + ctx.token();
  }

  private void assertOnlyTheResultOfBStands(EngineFixture processes, Run<String> run) {
    assertThat(run.result()).contains("B with token 2");
    assertThat(processes.query("select value, token from standpipe_result where node = 'work'"))
        .containsExactly("\"B with token 2\"|2");
    assertThat(run.attempts())
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.CRASHED, AttemptOutcome.SUCCEEDED);
    assertThat(run.attempts()).extracting(AttemptInfo::token).containsExactly(1L, 2L);
    assertThat(run.attempts()).extracting(AttemptInfo::attempt).containsExactly(1, 1);

    assertThat(heardOfA.all(StaleWriteBlocked.class)).hasSize(1);
    StaleWriteBlocked refused = heardOfA.all(StaleWriteBlocked.class).get(0);
    assertThat(refused.step().run()).isEqualTo(run.id());
    assertThat(refused.step().token()).isEqualTo(1);
    assertThat(heardOfA.all(LeaseLost.class))
        .extracting(LeaseLost::process)
        .contains(refused.process());
    assertThat(heardOfB.all(StaleWriteBlocked.class)).isEmpty();
    assertThat(heardOfB.all(ProcessReaped.class))
        .filteredOn(reaped -> reaped.process().equals(refused.process()))
        .singleElement()
        .satisfies(reaped -> assertThat(reaped.tasks()).isEqualTo(1));
    assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
  }
}
