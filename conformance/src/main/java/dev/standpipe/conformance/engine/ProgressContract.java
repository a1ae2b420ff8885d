package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepProgress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What users see of the progress that bodies report, through the API. */
public interface ProgressContract extends EnginePart {
  Duration STALLS = Duration.ofMillis(400);

  @Test
  default void whatABodyReportsIsSeenWhileItRuns() throws InterruptedException {
    CountDownLatch seen = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "reporting",
            (text, ctx) -> {
              for (int done = 0; done <= 1_000; done++) {
                ctx.progress(done, 2_000, "row " + done);
              }
              seen.await();
              return text;
            });
    Standpipe standpipe =
        engine().start(engine().process(pipeline).lease(EngineFixture.SHORT_LEASE));
    List<Run<String>> runs = standpipe.startAll(pipeline, List.of("x", "y"));
    for (Run<String> run : runs) {
      await()
          .atMost(PATIENCE)
          .until(() -> run.steps().stream().anyMatch(step -> step.progress().isPresent()));
      assertThat(run.steps())
          .extracting(StepInfo::progress)
          .allSatisfy(
              progress -> {
                StepProgress last = progress.orElseThrow();
                assertThat(last.done()).isEqualTo(1_000);
                assertThat(last.total()).isEqualTo(2_000);
                assertThat(last.note()).isEqualTo("row 1000");
                assertThat(last.lastProgressAt()).isAfter(run.info().createdAt());
              });
    }
    seen.countDown();
    EngineFixture.await(runs);
  }

  @Test
  default void aTryWithoutProgressTimesOut() throws InterruptedException {
    Pipeline<String, String> pipeline =
        single(
            "stalling",
            (text, ctx) -> {
              if (ctx.attempt() == 1) {
                ctx.progress(1, 2);
                EngineFixture.pause(PATIENCE);
              }
              return text;
            },
            step -> step.stallTimeout(STALLS).retry(Retry.fixed(Duration.ZERO).limit(1)));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThat(run.attempts())
        .filteredOn(attempt -> attempt.outcome() == AttemptOutcome.TIMED_OUT)
        .singleElement()
        .satisfies(
            attempt ->
                assertThat(attempt.error().orElseThrow().message())
                    .contains("no progress")
                    .contains("stallTimeout of PT0.4S"));
  }

  /** By reports, sub-steps and checkpoints alike. */
  @Test
  default void aTryThatGetsOnMayTakeLonger() throws InterruptedException {
    Duration pause = STALLS.dividedBy(4);
    Pipeline<String, String> pipeline =
        single(
            "getting-on",
            (text, ctx) -> {
              for (int i = 0; i < 12; i++) {
                int turn = i;
                EngineFixture.pause(pause);
                switch (i % 3) {
                  case 0 -> ctx.progress(i, 12);
                  case 1 -> ctx.checkpoint(i);
                  default -> ctx.once("turn " + i, Integer.class, () -> turn);
                }
              }
              return text;
            },
            step -> step.stallTimeout(STALLS.multipliedBy(2)).retry(Retry.fixed(Duration.ZERO)));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThat(run.attempts()).extracting(a -> a.outcome()).containsOnly(AttemptOutcome.SUCCEEDED);
  }

  @Test
  default void badProgressIsRefused() throws InterruptedException {
    Pipeline<String, String> pipeline =
        single(
            "bad-progress",
            (text, ctx) -> {
              assertThatIllegalArgumentException().isThrownBy(() -> ctx.progress(-1, 2));
              assertThatIllegalArgumentException().isThrownBy(() -> ctx.progress(1, -2, "x"));
              ctx.progress(3, 2, "x".repeat(1_000) + "\0");
              return text;
            });
    assertThat(engine().serve(pipeline).start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> single("bad", (text, ctx) -> text, step -> step.stallTimeout(Duration.ZERO)))
        .withMessageContaining("time-out");
  }
}
