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

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.WorkedGraph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What failures of elements, and of what yields them, mean for the rest of a run. */
public interface ElementStrategyContract extends EnginePart {
  private Run<String> elements(Strategy pipeline, Strategy each, List<Object> collapsed) {
    Pipeline<String, String> elements =
        Pipeline.define(
            "elements",
            String.class,
            String.class,
            flow -> {
              flow.strategy(pipeline);
              return flow.input()
                  .expand("split", Integer.class, text -> List.of(0, 1, 2, 3))
                  .step("each", Integer.class, n -> 10 / (2 - n))
                  .retry(Retry.never())
                  .strategy(each)
                  .step("next", Integer.class, n -> n)
                  .collapse(
                      "join",
                      String.class,
                      list -> {
                        collapsed.addAll(list);
                        return "joined";
                      });
            });
    Run<String> run = engine().serve(elements).start(elements, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    return run;
  }

  @Test
  default void aContinuingElementLosesItsStepsAndTheCollapse() {
    List<Object> collapsed = Collections.synchronizedList(new ArrayList<>());
    Run<String> run = elements(CONTINUE, CONTINUE, collapsed);
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(collapsed).isEmpty();
    assertThat(WorkedGraph.states(run))
        .isEqualTo(
            Map.of(
                "split", SUCCEEDED,
                "each", SUCCEEDED,
                "each1", SUCCEEDED,
                "each2", FAILED,
                "each3", SUCCEEDED,
                "next", SUCCEEDED,
                "next1", SUCCEEDED,
                "next2", UPSTREAM_FAILED,
                "next3", SUCCEEDED,
                "join", UPSTREAM_FAILED));
  }

  @Test
  default void anIgnoredElementCollapsesAsNull() {
    List<Object> collapsed = Collections.synchronizedList(new ArrayList<>());
    Run<String> run = elements(HALT, IGNORE, collapsed);
    assertThat(run.status()).isEqualTo(RunStatus.HALTED);
    assertThat(collapsed).containsExactly(5, 10, null, -10);
  }

  /** More than a chunk of numbers, the last of which may be out of reach. */
  private static Pipeline<Integer, Integer> stream(AtomicBoolean broken) {
    return Pipeline.define(
        "stream",
        Integer.class,
        Integer.class,
        flow -> {
          flow.strategy(IGNORE);
          return flow.input()
              .expandStream(
                  "numbers",
                  Integer.class,
                  count ->
                      IntStream.range(0, count)
                          .peek(n -> requireReadable(!broken.get() || n < count - 1))
                          .boxed())
              .retry(Retry.never())
              .step("each", Integer.class, n -> 1_000 / (n - 7))
              .retry(Retry.never())
              .collapse("all", Integer.class, List::size);
        });
  }

  private static void requireReadable(boolean readable) {
    if (!readable) {
      throw new IllegalStateException("it breaks off");
    }
  }

  @Test
  default void anErrorNamesSomeOfManyFailedSteps() {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "doomed",
            Integer.class,
            Integer.class,
            flow -> {
              flow.strategy(IGNORE);
              return flow.input()
                  .expand("numbers", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                  .step(
                      "each",
                      Integer.class,
                      n -> {
                        throw new IllegalStateException("as it should");
                      })
                  .retry(Retry.never())
                  .collapse("all", Integer.class, List::size);
            });
    Run<Integer> run = engine().serve(pipeline).start(pipeline, RunFailedException.MOST + 1);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageEndingWith("; and at least 999 more steps failed")
        .satisfies(e -> assertThat(e.failed()).hasSize(RunFailedException.MOST));
  }

  @Test
  default void theElementsOfAStreamFailOneByOne() {
    Pipeline<Integer, Integer> pipeline = stream(new AtomicBoolean());
    Run<Integer> run = engine().serve(pipeline).start(pipeline, 1_200);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(e -> assertThat(e.failed()).containsExactly(new StepId(run.id(), "each", 7)));
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(engine().query("select value from standpipe_result where node = 'all'"))
        .containsExactly("1200");
  }

  @Test
  default void aBrokenStreamHaltsItsRun() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<Integer, Integer> pipeline = stream(broken);
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> run = standpipe.start(pipeline, 1_200);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.status()).isEqualTo(RunStatus.HALTED);
    assertThat(run.info().haltNode()).contains("numbers");
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "it goes on");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.status()).isEqualTo(RunStatus.FAILED);
    assertThat(engine().query("select value from standpipe_result where node = 'all'"))
        .containsExactly("1200");
    broken.set(true);
    Run<Integer> nothing = standpipe.start(pipeline, 1);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> nothing.await(PATIENCE));
    assertThat(nothing.status()).as("nothing was in").isEqualTo(RunStatus.FAILED);
  }

  @Test
  default void anIgnoredExpandCollapsesAnEmptyList() {
    Pipeline<String, Integer> pipeline =
        Pipeline.define(
            "nothing",
            String.class,
            Integer.class,
            flow -> {
              flow.strategy(IGNORE);
              return flow.input()
                  .expand("split", Integer.class, text -> List.of(1 / (text.length() - 2)))
                  .retry(Retry.never())
                  .step("each", Integer.class, n -> n)
                  .collapse("join", Integer.class, List::size);
            });
    Run<Integer> run = engine().serve(pipeline).start(pipeline, "in");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(WorkedGraph.states(run)).isEqualTo(Map.of("split", FAILED, "join", SUCCEEDED));
    assertThat(engine().query("select value from standpipe_result where node = 'join'"))
        .containsExactly("0");
  }
}
