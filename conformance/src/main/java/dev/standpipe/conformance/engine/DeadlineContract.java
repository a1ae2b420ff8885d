package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.error.RunFailedException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Runs that must end in time. */
public interface DeadlineContract extends EnginePart {
  /** Soon over, for runs that need not have begun by then. */
  RunOptions SOON = RunOptions.none().deadline(Duration.ofSeconds(1));

  /** Time enough, until it is said to be over. */
  RunOptions LATER = RunOptions.none().deadline(Duration.ofHours(1));

  private static Pipeline<String, String> stuck(CountDownLatch runs, AtomicBoolean interrupted) {
    return single(
        "stuck",
        (text, ctx) -> {
          runs.countDown();
          try {
            new CountDownLatch(1).await();
            return text;
          } catch (InterruptedException e) {
            interrupted.set(true);
            throw e;
          }
        });
  }

  @Test
  default void aDeadlineHaltsTheRunAndInterruptsItsBody() throws InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch runs = new CountDownLatch(1);
    Pipeline<String, String> stuck = stuck(runs, interrupted);
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(stuck).listener(heard));
    Run<String> run = standpipe.start(stuck, "", LATER);
    runs.await();
    engine().hasten("deadline");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("ended halted (deadline)");
    assertThat(run.info().haltReason()).contains(HaltReason.DEADLINE);
    await().atMost(PATIENCE).untilTrue(interrupted);
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    await().atMost(PATIENCE).until(() -> heard.namesOf(run.id()).contains("run_finished"));
    assertThat(heard.namesOf(run.id())).containsOnlyOnce("run_finished");
  }

  @Test
  default void aDeadlineInterruptsABodyInAWorkerProcess() throws InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean();
    CountDownLatch runs = new CountDownLatch(1);
    Pipeline<String, String> stuck = stuck(runs, interrupted);
    engine().start(engine().process(stuck).role(Role.WORKER));
    Run<String> run = engine().client().start(stuck, "", SOON);
    runs.await();
    engine().start(engine().process().role(Role.MAINTENANCE));
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    await().atMost(PATIENCE).untilTrue(interrupted);
  }

  @Test
  default void aDeadlineHaltsAWaitingRun() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "waits-too-long",
            String.class,
            String.class,
            flow -> flow.input().delay("hours", Duration.ofHours(5)));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> waits = standpipe.start(pipeline, "", SOON);
    Run<String> delayed = standpipe.start(pipeline, "", SOON.delay(Duration.ofHours(1)));
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> waits.await(PATIENCE));
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> delayed.await(PATIENCE));
    assertThat(delayed.info().haltReason()).contains(HaltReason.DEADLINE);
    for (Run<String> run : List.of(waits, delayed)) {
      assertThat(Duration.between(run.info().createdAt(), run.info().finishedAt().orElseThrow()))
          .as("and not before its time")
          .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
    }
  }

  @Test
  default void aDeadlineLeavesAnEndedRunAlone() throws InterruptedException {
    Pipeline<String, String> pipeline = single("in-time", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "ok", LATER);
    assertThat(run.await(PATIENCE)).isEqualTo("ok");
    engine().hasten("deadline");
    await()
        .atMost(PATIENCE)
        .until(() -> engine().query("select * from standpipe_deadline").isEmpty());
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  default void aRevivedRunHasNoDeadline() throws InterruptedException {
    AtomicBoolean mended = new AtomicBoolean();
    Pipeline<String, String> pipeline =
        single(
            "mended",
            (text, ctx) -> {
              if (!mended.get()) {
                throw new IllegalStateException("broken");
              }
              return text;
            },
            step -> step.retry(Retry.never()));
    Standpipe worker = engine().start(engine().process(pipeline).role(Role.WORKER));
    Run<String> run = worker.start(pipeline, "x", LATER);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    engine().hasten("deadline"); // and nobody is there who keeps deadlines
    worker.close();
    mended.set(true);
    Standpipe client = engine().client();
    client.operator("eve").revive(run.id(), "mended");
    assertThat(engine().query("select * from standpipe_deadline")).isEmpty();
    engine().serve(pipeline);
    assertThat(client.run(pipeline, run.id()).await(PATIENCE)).isEqualTo("x");
  }
}
