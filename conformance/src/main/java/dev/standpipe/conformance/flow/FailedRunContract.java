package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.definition.Strategy.CONTINUE;
import static dev.standpipe.definition.Strategy.HALT;
import static dev.standpipe.definition.Strategy.IGNORE;
import static dev.standpipe.info.StepState.FAILED;
import static dev.standpipe.info.StepState.SUCCEEDED;
import static dev.standpipe.info.StepState.UPSTREAM_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.WorkedGraph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.RunFilter;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** What follows runs that came to their end though steps have failed, and what is done to them. */
public interface FailedRunContract extends EnginePart {
  /** Left fails; bottom needs it, and right goes its own way to the end. */
  private static WorkedGraph sides(Strategy left) {
    return new WorkedGraph("sides", CONTINUE)
        .step("top")
        .step("left", left, "top")
        .step("right", "top")
        .step("end", "right")
        .step("bottom", "left", "right")
        .fails("left");
  }

  private static <T> Run<T> failed(Run<T> run) {
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.FAILED));
    return run;
  }

  @Test
  default void aForkRerunsFailedAndLostSteps() throws InterruptedException {
    WorkedGraph graph = sides(CONTINUE);
    Pipeline<String, String> pipeline = graph.pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = failed(standpipe.start(pipeline, "in"));
    graph.mend();
    UUID fork = standpipe.operator("ann").fork(run.id(), "end", "mended");
    assertThat(standpipe.run(pipeline, fork).await(PATIENCE))
        .isEqualTo("bottom[left[top[in]], right[top[in]]]");
    assertThat(graph.ran())
        .containsExactlyInAnyOrder("top", "left", "right", "end", "left", "end", "bottom");
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  default void aForkKeepsStepsThatPassedAnIgnoredFailure() throws InterruptedException {
    WorkedGraph graph = sides(IGNORE);
    Pipeline<String, String> pipeline = graph.pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Operator ann = standpipe.operator("ann");
    Run<String> run = failed(standpipe.start(pipeline, "in"));
    Run<String> again = standpipe.run(pipeline, ann.fork(run.id(), "end", "as it is"));
    failed(again);
    assertThat(WorkedGraph.states(again))
        .isEqualTo(
            Map.of(
                "top", SUCCEEDED,
                "left", FAILED,
                "right", SUCCEEDED,
                "end", SUCCEEDED,
                "bottom", SUCCEEDED));
    graph.mend();
    ann.revive(again.id(), "mended");
    assertThat(again.await(PATIENCE)).isEqualTo("bottom[null, right[top[in]]]");
    assertThat(graph.ran())
        .containsExactlyInAnyOrder("top", "left", "right", "end", "bottom", "left", "end", "left");
  }

  @Test
  default void aForkBehindAFailureIsRefused() {
    for (Strategy strategy : List.of(CONTINUE, IGNORE)) {
      Pipeline<String, String> pipeline = sides(strategy).pipeline();
      Standpipe standpipe = engine().serve(pipeline);
      Run<String> run = failed(standpipe.start(pipeline, "in"));
      assertThatExceptionOfType(NotForkableException.class)
          .isThrownBy(() -> standpipe.operator("ann").fork(run.id(), "bottom", "again"))
          .withMessageContaining("what comes before it has not finished: left.");
    }
  }

  @Test
  default void failedRunsAreFoundAndRevivedTogether() throws InterruptedException {
    WorkedGraph graph = sides(CONTINUE);
    Pipeline<String, String> pipeline = graph.pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Operator ann = standpipe.operator("ann");
    Run<String> one = failed(standpipe.start(pipeline, "1"));
    Run<String> two = failed(standpipe.start(pipeline, "2"));
    RunFilter failed = RunFilter.where().pipeline("sides").status(RunStatus.FAILED);
    assertThat(ann.list(failed, 10))
        .extracting(RunInfo::id, RunInfo::status)
        .containsExactly(tuple(two.id(), RunStatus.FAILED), tuple(one.id(), RunStatus.FAILED));
    assertThat(ann.list(RunFilter.where().pipeline("sides").status(RunStatus.HALTED), 10))
        .isEmpty();
    graph.mend();
    assertThat(ann.bulk(failed).dryRun().revive("mended").matched()).isEqualTo(2);
    assertThat(ann.bulk(RunFilter.where().pipeline("sides")).revive("mended").changed())
        .isEqualTo(2);
    assertThat(one.await(PATIENCE)).isEqualTo("bottom[left[top[1]], right[top[1]]]");
    assertThat(two.await(PATIENCE)).isEqualTo("bottom[left[top[2]], right[top[2]]]");
  }

  @Test
  default void aFailedRunSkipsItsDownstreams() {
    Pipeline<String, String> pipeline = sides(CONTINUE).pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "in");
    Run<String> next = run.then(pipeline);
    failed(run);
    await().atMost(PATIENCE).until(() -> next.status() == RunStatus.SKIPPED);
    assertThat(run.then(pipeline).status()).as("added late").isEqualTo(RunStatus.SKIPPED);
  }

  /** A pipeline with a step that can be undone, one that fails, and all callbacks. */
  private static Pipeline<String, String> followed(
      Strategy pipeline, Strategy bad, ConcurrentLinkedQueue<String> told) {
    return Pipeline.define(
        "followed",
        String.class,
        String.class,
        flow -> {
          flow.strategy(pipeline);
          flow.onSuccess(end -> told.add("success " + end.status()));
          flow.onFailure(end -> told.add("failure " + end.status()));
          flow.onHalt(end -> told.add("halt " + end.status()));
          flow.onComplete(end -> told.add("complete " + end.status()));
          return flow.input()
              .step("good", String.class, text -> text)
              .compensate(text -> told.add("undone"))
              .step("bad", Integer.class, text -> Integer.parseInt(text))
              .retry(Retry.never())
              .strategy(bad)
              .step("after", String.class, n -> "after " + n);
        });
  }

  @Test
  default void aFailedRunCallsBackAndIsNotCompensated() {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline = followed(CONTINUE, CONTINUE, told);
    Run<String> run = failed(engine().serve(pipeline).start(pipeline, "in"));
    awaitFollowed();
    assertThat(told).containsExactlyInAnyOrder("failure FAILED", "complete FAILED");
    assertThat(WorkedGraph.states(run))
        .isEqualTo(Map.of("good", SUCCEEDED, "bad", FAILED, "after", UPSTREAM_FAILED));
  }

  @Test
  default void aShelteredRunThatHaltsIsCompensated() {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline = followed(HALT, IGNORE, told);
    Run<String> run = engine().serve(pipeline).start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.COMPENSATED));
    awaitFollowed();
    assertThat(told)
        .containsExactlyInAnyOrder(
            "undone", "failure COMPENSATED", "halt COMPENSATED", "complete COMPENSATED");
    assertThat(WorkedGraph.states(run))
        .isEqualTo(Map.of("good", SUCCEEDED, "bad", FAILED, "after", SUCCEEDED));
  }

  private void awaitFollowed() {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                engine()
                    .query(
                        "select (select count(*) from standpipe_task) + (select count(*) from standpipe_ended)")
                    .equals(List.of("0")));
  }

  @Test
  default void aFailedCallRevivesWithItsCaller() throws InterruptedException {
    WorkedGraph graph = sides(CONTINUE);
    Pipeline<String, String> called = graph.pipeline();
    Pipeline<String, String> caller =
        Pipeline.define(
            "caller",
            String.class,
            String.class,
            flow -> {
              flow.strategy(IGNORE);
              return flow.input()
                  .call("call", called)
                  .step("after", String.class, text -> "after " + text);
            });
    Standpipe standpipe = engine().serve(caller);
    Run<String> run = failed(standpipe.start(caller, "in"));
    assertThat(WorkedGraph.states(run)).isEqualTo(Map.of("call", FAILED, "after", SUCCEEDED));
    UUID child = run.info().links().calls().get(0);
    assertThat(standpipe.run(called, child).status()).isEqualTo(RunStatus.FAILED);
    graph.mend();
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("after null");
    assertThat(run.info().links().calls()).containsExactly(child);
    assertThat(standpipe.run(called, child).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  default void anExpiredAwaitFollowsItsStrategy() {
    for (Strategy strategy : Strategy.values()) {
      Pipeline<String, String> pipeline =
          Pipeline.define(
              "late-" + strategy,
              String.class,
              String.class,
              flow -> {
                flow.strategy(strategy);
                return flow.input()
                    .await("word", String.class)
                    .within(Duration.ofMillis(1))
                    .orHalt()
                    .step("after", String.class, text -> "after " + text);
              });
      Run<String> run = engine().serve(pipeline).start(pipeline, "in");
      assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
      boolean halts = strategy == HALT;
      assertThat(run.status()).isEqualTo(halts ? RunStatus.HALTED : RunStatus.FAILED);
      assertThat(run.info().haltReason())
          .isEqualTo(halts ? Optional.of(HaltReason.SIGNAL_EXPIRED) : Optional.empty());
      assertThat(WorkedGraph.states(run))
          .isEqualTo(
              switch (strategy) {
                case HALT -> Map.of("word", FAILED);
                case CONTINUE -> Map.of("word", FAILED, "after", UPSTREAM_FAILED);
                case IGNORE -> Map.of("word", FAILED, "after", SUCCEEDED);
              });
    }
  }
}
