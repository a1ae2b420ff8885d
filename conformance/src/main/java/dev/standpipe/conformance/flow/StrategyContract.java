package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.definition.Strategy.CONTINUE;
import static dev.standpipe.definition.Strategy.HALT;
import static dev.standpipe.definition.Strategy.IGNORE;
import static dev.standpipe.info.StepState.FAILED;
import static dev.standpipe.info.StepState.SKIPPED;
import static dev.standpipe.info.StepState.SUCCEEDED;
import static dev.standpipe.info.StepState.UPSTREAM_FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.WorkedGraph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepState;
import dev.standpipe.operate.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the failure of a step means for the rest of its run, in graphs worked out by hand. */
public interface StrategyContract extends EnginePart {
  /** What slow steps wait for that last until the run is halting. */
  String HALTING = "halting";

  /**
   * A graph and what must come of it. Steps that have no state never had their turn.
   *
   * @param name what it shows
   * @param graph the graph
   * @param status how the run ends
   * @param states how its steps end
   */
  record Worked(String name, WorkedGraph graph, RunStatus status, Map<String, StepState> states) {}

  /** Two branches: a with c after it, and slow with b after it. */
  private static WorkedGraph branches(Strategy pipeline, Strategy a, String slowUntil) {
    return new WorkedGraph("branches", pipeline)
        .step("a", a)
        .slow("slow", slowUntil)
        .step("c", "a")
        .step("b", "slow")
        .fails("a");
  }

  private static WorkedGraph diamond(Strategy pipeline, Strategy left) {
    return new WorkedGraph("diamond", pipeline)
        .step("top")
        .step("left", left, "top")
        .step("right", "top")
        .step("bottom", "left", "right")
        .fails("left");
  }

  /** The graphs. */
  private static Stream<Worked> worked() {
    Map<String, StepState> halted = Map.of("a", FAILED, "slow", SUCCEEDED);
    Map<String, StepState> without =
        Map.of("a", FAILED, "c", UPSTREAM_FAILED, "slow", SUCCEEDED, "b", SUCCEEDED);
    Map<String, StepState> all =
        Map.of("a", FAILED, "c", SUCCEEDED, "slow", SUCCEEDED, "b", SUCCEEDED);
    return Stream.of(
        new Worked(
            "HALT: nothing that has not begun is run",
            branches(HALT, HALT, HALTING),
            RunStatus.HALTED,
            halted),
        new Worked(
            "CONTINUE: only what depends on it is lost",
            branches(CONTINUE, CONTINUE, "a"),
            RunStatus.FAILED,
            without),
        new Worked("IGNORE: everything runs", branches(IGNORE, IGNORE, "a"), RunStatus.FAILED, all),
        new Worked(
            "CONTINUE, but this step halts",
            branches(CONTINUE, HALT, HALTING),
            RunStatus.HALTED,
            halted),
        new Worked(
            "IGNORE, but this step halts",
            branches(IGNORE, HALT, HALTING),
            RunStatus.HALTED,
            halted),
        new Worked(
            "HALT stands against a step that would continue",
            branches(HALT, CONTINUE, HALTING),
            RunStatus.HALTED,
            halted),
        new Worked(
            "IGNORE, but what depends on this step is lost",
            branches(IGNORE, CONTINUE, "a"),
            RunStatus.FAILED,
            without),
        new Worked(
            "CONTINUE, but this step is ignored",
            branches(CONTINUE, IGNORE, "a"),
            RunStatus.FAILED,
            all),
        new Worked(
            "CONTINUE in a diamond",
            diamond(CONTINUE, CONTINUE),
            RunStatus.FAILED,
            Map.of(
                "top", SUCCEEDED, "left", FAILED, "right", SUCCEEDED, "bottom", UPSTREAM_FAILED)),
        new Worked(
            "a side that is ignored in a diamond that continues",
            diamond(CONTINUE, IGNORE),
            RunStatus.FAILED,
            Map.of("top", SUCCEEDED, "left", FAILED, "right", SUCCEEDED, "bottom", SUCCEEDED)),
        new Worked(
            "HALT, but an optional step is ignored with what follows from it",
            new WorkedGraph("optional", HALT)
                .step("optional", IGNORE)
                .slow("slow", "after_optional")
                .step("required", "slow")
                .step("after_optional", "optional")
                .fails("optional"),
            RunStatus.HALTED,
            Map.of(
                "optional", FAILED,
                "slow", SUCCEEDED,
                "required", UPSTREAM_FAILED,
                "after_optional", SUCCEEDED)),
        new Worked(
            "HALT, but all that follows from an ignored step is sheltered",
            new WorkedGraph("subtree", HALT)
                .step("a", IGNORE)
                .slow("slow", "c")
                .step("b", "a")
                .step("c", "b")
                .step("other", "slow")
                .step("both", "c", "other")
                .fails("a"),
            RunStatus.HALTED,
            Map.of(
                "a", FAILED,
                "b", SUCCEEDED,
                "c", SUCCEEDED,
                "slow", SUCCEEDED,
                "other", UPSTREAM_FAILED,
                "both", UPSTREAM_FAILED)),
        new Worked(
            "HALT, and a sheltered step fails as well",
            new WorkedGraph("twice", HALT)
                .step("a", IGNORE)
                .slow("slow", "b")
                .step("b", "a")
                .step("c", "b")
                .step("d", "a")
                .step("other", "slow")
                .fails("a", "b"),
            RunStatus.HALTED,
            Map.of(
                "a", FAILED,
                "b", FAILED,
                "c", UPSTREAM_FAILED,
                "d", SUCCEEDED,
                "slow", SUCCEEDED,
                "other", UPSTREAM_FAILED)));
  }

  @TestFactory
  default Stream<DynamicTest> strategiesMatchTheHandWorkedGraphs() {
    return worked().map(graph -> dynamicTest(graph.name(), () -> check(graph)));
  }

  private void check(Worked worked) {
    Pipeline<String, String> pipeline = worked.graph().pipeline();
    Run<String> run = engine().serve(pipeline).start(pipeline, "in");
    await().atMost(PATIENCE).until(() -> run.status() != RunStatus.RUNNING);
    worked.graph().release(HALTING);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(e -> assertThat(e.status()).isEqualTo(worked.status()))
        .withMessageContaining("fails on purpose");
    assertThat(WorkedGraph.states(run)).isEqualTo(worked.states());
    assertThat(run.info().haltReason())
        .isEqualTo(
            worked.status() == RunStatus.HALTED
                ? Optional.of(HaltReason.RETRIES_EXHAUSTED)
                : Optional.empty());
    assertThat(run.info().haltNode()).isPresent();
    assertThat(run.result()).isEmpty();
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void aRunWithoutFailuresSucceedsUnderEveryStrategy() throws InterruptedException {
    for (Strategy strategy : Strategy.values()) {
      Pipeline<String, String> pipeline =
          new WorkedGraph("healthy-" + strategy, strategy)
              .step("top")
              .step("left", IGNORE, "top")
              .step("right", CONTINUE, "top")
              .step("bottom", "left", "right")
              .pipeline();
      Run<String> run = engine().serve(pipeline).start(pipeline, "in");
      assertThat(run.await(PATIENCE)).isEqualTo("bottom[left[top[in]], right[top[in]]]");
      assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    }
  }

  @Test
  default void anIgnoredStepGivesItsDependentsNull() {
    Pipeline<String, String> pipeline = diamond(CONTINUE, IGNORE).pipeline();
    Run<String> run = engine().serve(pipeline).start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("ended failed: step \"left\" failed on attempt 1");
    assertThat(engine().query("select value from standpipe_result where node = 'bottom'"))
        .containsExactly("\"bottom[null, right[top[in]]]\"");
  }

  /** An expand of four elements, the third of which fails, and what collapse made of them. */
  @Test
  default void aJoinOfSkippedAndLostStepsIsLost() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "mixed",
            String.class,
            String.class,
            flow -> {
              flow.strategy(CONTINUE);
              List<Node<String>> inside = new ArrayList<>();
              Node<String> way =
                  flow.input()
                      .divert("way", text -> "taken")
                      .on("taken", node -> node)
                      .otherwise(
                          node -> {
                            inside.add(node.step("untaken", String.class, text -> text));
                            return inside.get(0);
                          })
                      .converge();
              Node<String> bad =
                  flow.input()
                      .step("bad", Integer.class, text -> Integer.parseInt(text))
                      .retry(Retry.never())
                      .step("after", String.class, n -> "after " + n);
              Node.join(inside.get(0), bad).step("lost", String.class, (one, other) -> one);
              return Node.join(inside.get(0), way)
                  .step("end", String.class, (one, other) -> one + other);
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(WorkedGraph.states(run))
        .isEqualTo(
            Map.of(
                "way", SUCCEEDED,
                "untaken", SKIPPED,
                "way:converge", SUCCEEDED,
                "bad", FAILED,
                "after", UPSTREAM_FAILED,
                "lost", UPSTREAM_FAILED,
                "end", SUCCEEDED));
  }

  @Test
  default void aDivertThatFailsIsNeverIgnored() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "undecided",
            String.class,
            String.class,
            flow -> {
              flow.strategy(IGNORE);
              flow.input().step("beside", String.class, text -> text);
              return flow.input()
                  .divert("way", text -> String.valueOf(Integer.parseInt(text)))
                  .retry(Retry.never())
                  .on("1", node -> node.step("one", String.class, text -> text))
                  .otherwise(node -> node)
                  .converge();
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(WorkedGraph.states(run))
        .isEqualTo(
            Map.of(
                "way",
                FAILED,
                "one",
                UPSTREAM_FAILED,
                "way:converge",
                UPSTREAM_FAILED,
                "beside",
                SUCCEEDED));
  }

  @Test
  default void aReviveRunsFailedAndLostSteps() throws InterruptedException {
    WorkedGraph graph = diamond(CONTINUE, CONTINUE);
    Pipeline<String, String> pipeline = graph.pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThatExceptionOfType(RunEndedException.class)
        .isThrownBy(() -> standpipe.operator("ann").cancel(run.id(), "too late"));
    graph.mend();
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("bottom[left[top[in]], right[top[in]]]");
    assertThat(graph.ran()).containsExactlyInAnyOrder("top", "left", "right", "left", "bottom");
    assertThat(run.info().haltNode()).isEmpty();
  }

  @Test
  default void aReviveRunsOnlyTheIgnoredStepAgain() throws InterruptedException {
    WorkedGraph graph =
        new WorkedGraph("again", IGNORE)
            .step("top")
            .step("left", "top")
            .step("below", "left")
            .step("right", "top")
            .step("bottom", "left", "right")
            .fails("left");
    Pipeline<String, String> pipeline = graph.pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Operator ann = standpipe.operator("ann");
    Run<String> run = standpipe.start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    ann.revive(run.id(), "it may work now");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    graph.mend();
    ann.revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("bottom[null, right[top[in]]]");
    assertThat(graph.ran())
        .containsExactlyInAnyOrder("top", "left", "below", "right", "bottom", "left", "left");
    assertThat(WorkedGraph.states(run).values()).containsOnly(SUCCEEDED);
  }

  @Test
  default void aHaltedRunIsRevivedWithItsShelter() throws InterruptedException {
    WorkedGraph graph =
        new WorkedGraph("sheltered", HALT)
            .step("a", IGNORE)
            .slow("slow", "b")
            .step("b", "a")
            .step("other", "slow")
            .step("end", "b", "other")
            .fails("a");
    Pipeline<String, String> pipeline = graph.pipeline();
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    graph.mend();
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("end[b[null], other[slow[in]]]");
    assertThat(graph.ran()).containsExactlyInAnyOrder("a", "slow", "b", "a", "other", "end");
  }
}
