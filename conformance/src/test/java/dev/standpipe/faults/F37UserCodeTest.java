package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.internal.codec.JacksonCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * F37: every piece of user code that the engine calls overflows the stack, runs out of memory,
 * lacks a class, blocks, or leaves interrupts behind, all of them at once in one process, whose
 * listener does so too. Each fails its own step at most, and unrelated runs end.
 */
class F37UserCodeTest {
  private static final int UNRELATED = 40;

  /** Callbacks and compensations are runs, too. */
  private static final String LIVE = "select count(*) from standpipe_run where finished_at is null";

  @ParameterizedTest
  @EnumSource
  void badUserCodeFailsItsOwnStepOnPostgres(Mischief mischief) throws InterruptedException {
    badUserCodeFailsItsOwnStep(PostgresServer.shared().freshDatabase(), mischief);
  }

  @ParameterizedTest
  @EnumSource
  void badUserCodeFailsItsOwnStepOnSqlite(Mischief mischief) throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      badUserCodeFailsItsOwnStep(file.dataSource(), mischief);
    }
  }

  private static void badUserCodeFailsItsOwnStep(DataSource source, Mischief mischief)
      throws InterruptedException {
    CountDownLatch over = new CountDownLatch(1);
    Runnable act = () -> mischief.run(over);
    Duration timeout = mischief == Mischief.BLOCKS ? UserCode.SHORT : Duration.ofMinutes(5);
    Pipeline<String, String> unrelated = EngineFixture.single("unrelated", (text, ctx) -> text);
    Map<UserCode, Pipeline<String, String>> pipelines = new EnumMap<>(UserCode.class);
    List<Pipeline<?, ?>> served = new ArrayList<>(List.of(unrelated));
    for (UserCode code : UserCode.values()) {
      pipelines.put(code, code.pipeline(new UserCode.Trial(act, timeout)));
      served.add(pipelines.get(code));
    }
    Heard heard = new Heard();
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe standpipe =
          processes.start(
              processes
                  .process(served.toArray(Pipeline<?, ?>[]::new))
                  .concurrency(100) // more than there are bodies that block
                  .codec(new UserCode.BadCodec(new JacksonCodec(), act))
                  .listener(event -> act.run())
                  .listener(heard));
      Map<UserCode, Run<String>> runs = new EnumMap<>(UserCode.class);
      pipelines.forEach((code, pipeline) -> runs.put(code, standpipe.start(pipeline, "x")));
      for (int i = 0; i < 2; i++) {
        List<Run<String>> others =
            standpipe.startAll(unrelated, Collections.nCopies(UNRELATED / 2, "fine"));
        assertThat(EngineFixture.await(others)).hasSize(UNRELATED / 2).containsOnly("fine");
      }
      runs.forEach((code, run) -> assertEnd(mischief, code, run));
      assertThat(standpipe.start(unrelated, "after").await(PATIENCE)).isEqualTo("after");
      await().atMost(PATIENCE).until(() -> processes.query(LIVE).equals(List.of("0")));
      assertThat(heard.all()).noneMatch(event -> event.name().equals("lease_lost"));
    } finally {
      over.countDown();
    }
  }

  private static void assertEnd(Mischief mischief, UserCode code, Run<String> run) {
    await(code + " " + mischief).atMost(PATIENCE).until(() -> run.status().isTerminal());
    boolean fails = code.fails(mischief);
    assertThat(run.status() == RunStatus.SUCCEEDED).as("%s %s", code, mischief).isEqualTo(!fails);
    if (fails) {
      AttemptInfo last = run.attempts().get(run.attempts().size() - 1);
      assertThat(last.outcome())
          .as("%s %s", code, mischief)
          .isIn(AttemptOutcome.FAILED, AttemptOutcome.TIMED_OUT);
      assertThat(last.error()).as("%s %s", code, mischief).isPresent();
    }
  }
}
