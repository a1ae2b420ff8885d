package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Lane;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.AwaitTimeoutException;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.NotPausedException;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownLaneException;
import dev.standpipe.error.UnknownPipelineException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.StepState;
import dev.standpipe.operate.BulkResult;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Pause;
import dev.standpipe.operate.RunFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What users see of pauses, through the API. */
public interface PausingContract extends EnginePart {
  /** Two steps, {@code first} of which waits for the latch. */
  private static Pipeline<String, String> twoSteps(
      CountDownLatch begun, CountDownLatch go, AtomicInteger second) {
    return Pipeline.define(
        "paused",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step(
                    "first",
                    String.class,
                    text -> {
                      begun.countDown();
                      go.await();
                      return text + "1";
                    })
                .step(
                    "second",
                    String.class,
                    text -> {
                      second.incrementAndGet();
                      return text + "2";
                    }));
  }

  @Test
  default void aPausedRunWaitsThroughRestarts() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger second = new AtomicInteger();
    Pipeline<String, String> pipeline = twoSteps(begun, go, second);
    Run<String> run;
    try (Standpipe process = engine().process(pipeline).start()) {
      run = process.start(pipeline, "x");
      begun.await();
      assertThat(process.operator("pat").pause(run.id(), "hold on")).isTrue();
      assertThat(process.operator("pat").pause(run.id(), "hold on")).isFalse();
      assertThat(run.status()).isEqualTo(RunStatus.PAUSED);
      go.countDown();
      await().atMost(PATIENCE).until(() -> is(StepState.PAUSED, run, "second"));
    }
    Standpipe again = engine().serve(pipeline);
    Run<String> paused = again.run(pipeline, run.id());
    assertThatExceptionOfType(AwaitTimeoutException.class)
        .isThrownBy(() -> paused.await(Duration.ofSeconds(1)));
    assertThat(second).hasValue(0);
    assertThat(again.doctor()).isEmpty();
    again.operator("pat").resume(run.id(), "go on");
    assertThat(paused.await(PATIENCE)).isEqualTo("x12");
    assertThat(engine().query("select actor, action, reason from standpipe_audit order by id"))
        .containsExactly("pat|pause|hold on", "pat|resume|go on");
    assertThat(second).hasValue(1);
  }

  private static boolean is(StepState state, Run<?> run, String node) {
    return run.steps().stream()
        .filter(step -> step.node().equals(node))
        .anyMatch(step -> step.state() == state);
  }

  @Test
  default void aPausedPipelineHoldsCurrentAndNewRuns() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger second = new AtomicInteger();
    Pipeline<String, String> pipeline = twoSteps(begun, go, second);
    Pipeline<Integer, Integer> other = threeSteps("other", Duration.ZERO);
    Standpipe standpipe = engine().serve(pipeline, other);
    Run<String> before = standpipe.start(pipeline, "x");
    begun.await();
    Operator pat = engine().client().operator("pat");
    assertThat(standpipe.operator("pat").pause("paused", "a bad day")).isTrue();
    assertThat(pat.pause("paused", "a bad day")).isFalse();
    assertThat(pat.pauses()).extracting(Pause::pipeline).containsExactly("paused");
    List<Run<String>> after = new ArrayList<>();
    after.add(standpipe.start(pipeline, "y"));
    after.addAll(standpipe.startAll(pipeline, List.of("y", "y")));
    go.countDown();
    await().atMost(PATIENCE).until(() -> is(StepState.READY, before, "second"));
    for (int i = 0; i < 5; i++) {
      assertThat(standpipe.start(other, i).await(PATIENCE)).isEqualTo(i + 3);
    }
    assertThat(second).hasValue(0);
    assertThat(after).allMatch(run -> is(StepState.READY, run, "first"));
    pat.resume("paused", "a good one");
    assertThat(before.await(PATIENCE)).isEqualTo("x12");
    assertThat(EngineFixture.await(after)).containsExactly("y12", "y12", "y12");
    assertThat(pat.pauses()).isEmpty();
  }

  @Test
  default void aNewProcessRespectsAPausedDefinition() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "quiet",
            (text, ctx) -> {
              ran.incrementAndGet();
              return text;
            });
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "x");
    Operator pat = client.operator("pat");
    pat.pause(Lane.of(pipeline), "only this version");
    assertThat(pat.pauses())
        .extracting(Pause::lane)
        .containsExactly(Optional.of(Lane.of(pipeline)));
    Standpipe process = engine().serve(pipeline, threeSteps("other", Duration.ZERO));
    assertThat(process.start(threeSteps("other", Duration.ZERO), 1).await(PATIENCE)).isEqualTo(4);
    assertThat(ran).hasValue(0);
    pat.resume(new Lane("quiet", pipeline.graph().hash().substring(0, 10)), "go");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
  }

  @Test
  default void frequentPausesAndResumesLoseNoStep() throws InterruptedException {
    int count = 40;
    Pipeline<Integer, Integer> pipeline = threeSteps("nervous", Duration.ofMillis(2));
    Standpipe standpipe = engine().serve(pipeline);
    engine().serve(pipeline);
    List<Run<Integer>> runs =
        standpipe.startAll(pipeline, IntStream.range(0, count).boxed().toList());
    Operator pat = engine().client().operator("pat");
    for (int i = 0; i < 4; i++) {
      for (Run<Integer> run : runs) {
        toggle(pat, run.id(), i % 2 == 0);
      }
      if (i % 2 == 0) {
        pat.pause("nervous", "up");
      } else {
        pat.resume("nervous", "down");
      }
    }
    assertThat(EngineFixture.await(runs)).isEqualTo(IntStream.range(3, count + 3).boxed().toList());
    assertThat(standpipe.doctor()).isEmpty();
  }

  private static void toggle(Operator pat, UUID run, boolean pause) {
    try {
      if (pause) {
        pat.pause(run, "up");
      } else {
        pat.resume(run, "down");
      }
    } catch (RunEndedException e) {
      assertThat(e.status()).isEqualTo(RunStatus.SUCCEEDED);
    } catch (NotPausedException e) {
      assertThat(e).hasMessageContaining("is succeeded");
    }
  }

  @Test
  default void aPausedRunKeepsItsSignalForTheResume() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "asked",
            String.class,
            String.class,
            flow -> flow.input().await("answer", String.class));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    await().atMost(PATIENCE).until(() -> is(StepState.WAITING, run, "answer"));
    Operator pat = standpipe.operator("pat");
    pat.pause(run.id(), "not now");
    assertThat(standpipe.signal(run.id(), "answer", "yes")).isTrue();
    assertThat(is(StepState.PAUSED, run, "answer")).isTrue();
    pat.resume(run.id(), "now");
    assertThat(run.await(PATIENCE)).isEqualTo("yes");
  }

  @Test
  default void manyRunsArePausedAndResumedByAFilter() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("many", Duration.ZERO);
    Standpipe client = engine().client();
    List<Run<Integer>> runs = client.startAll(pipeline, List.of(1, 2, 3));
    Run<Integer> paused = client.start(pipeline, 4);
    Operator pat = client.operator("pat");
    pat.pause(paused.id(), "before");
    RunFilter many = RunFilter.where().pipeline("many");
    assertThat(pat.bulk(many).dryRun().pause("all")).isEqualTo(new BulkResult(3, 0, Map.of()));
    assertThat(runs).allMatch(run -> run.status() == RunStatus.RUNNING);
    assertThat(pat.bulk(many).pause("all")).isEqualTo(new BulkResult(3, 3, Map.of()));
    assertThat(runs).allMatch(run -> run.status() == RunStatus.PAUSED);
    assertThat(pat.list(many.status(RunStatus.PAUSED), 10)).hasSize(4);
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> pat.bulk(many.status(RunStatus.RUNNING)).resume("odd"))
        .withMessageContaining("Runs that are running cannot be resumed: name some of [paused]");
    Standpipe process = engine().serve(pipeline);
    assertThat(pat.bulk(many).resume("all")).isEqualTo(new BulkResult(4, 4, Map.of()));
    assertThat(EngineFixture.await(runs)).containsExactly(4, 5, 6);
    assertThat(process.run(pipeline, paused.id()).await(PATIENCE)).isEqualTo(7);
  }

  @Test
  default void impossiblePausesAndResumesAreRefused() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("short", Duration.ZERO);
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> run = standpipe.start(pipeline, 1);
    run.await(PATIENCE);
    Operator pat = standpipe.operator("pat");
    assertThatExceptionOfType(RunEndedException.class)
        .isThrownBy(() -> pat.pause(run.id(), "late"))
        .withMessageContaining("is succeeded: only a run that is running or waiting can be paused");
    assertThatExceptionOfType(NotPausedException.class)
        .isThrownBy(() -> pat.resume(run.id(), "late"))
        .withMessageContaining("is succeeded: only a run that is paused can be resumed")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_PAUSED));
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> pat.pause(UUID.randomUUID(), "nobody"));
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> pat.resume(UUID.randomUUID(), "nobody"));
    assertThatExceptionOfType(UnknownPipelineException.class)
        .isThrownBy(() -> pat.pause("nobody", "nobody"));
    assertThatExceptionOfType(UnknownPipelineException.class)
        .isThrownBy(() -> pat.resume("nobody", "nobody"));
    assertThatExceptionOfType(NotPausedException.class)
        .isThrownBy(() -> pat.resume("short", "it is not"))
        .withMessageContaining("not paused as a whole");
    assertThatExceptionOfType(NotPausedException.class)
        .isThrownBy(() -> pat.resume(Lane.of(pipeline), "it is not"))
        .withMessageContaining("not paused by itself");
    assertThatExceptionOfType(UnknownLaneException.class)
        .isThrownBy(() -> pat.pause(new Lane("short", "xyz"), "nobody"))
        .withMessageContaining(pipeline.graph().hash().substring(0, 12))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_LANE));
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> pat.pause("short", " "))
        .withMessageContaining("give a reason");
    assertThat(engine().query("select count(*) from standpipe_audit")).containsExactly("0");
    assertThat(engine().query("select count(*) from standpipe_pause")).containsExactly("0");
  }

  @Test
  default void aPausedRunCanBeCanceledForkedAndRerun() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("unserved", Duration.ZERO);
    Run<Integer> waiting = engine().client().start(pipeline, 1);
    Operator pat = engine().client().operator("pat");
    pat.pause(waiting.id(), "wait");
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> pat.revive(waiting.id(), "odd"))
        .withMessageContaining("is paused");
    UUID fork = pat.fork(waiting.id(), "a", "another");
    UUID rerun = pat.rerun(waiting.id(), "once more");
    Standpipe process = engine().serve(pipeline);
    assertThat(process.run(pipeline, fork).await(PATIENCE)).isEqualTo(4);
    assertThat(process.run(pipeline, rerun).await(PATIENCE)).isEqualTo(4);
    assertThat(waiting.status()).isEqualTo(RunStatus.PAUSED);
    assertThat(pat.cancel(waiting.id(), "over")).isEqualTo(RunStatus.CANCELED);
    pat.revive(waiting.id(), "after all");
    assertThat(waiting.await(PATIENCE)).isEqualTo(4);
  }
}
