package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StepFunction;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Nothing after a barrier starts before everything before it has ended. */
public interface BarrierContract extends EnginePart {
  @Test
  default void aBarrierWaitsForAllStepsAndElementsBeforeIt() throws InterruptedException {
    Queue<String> ended = new ConcurrentLinkedQueue<>();
    CountDownLatch slow = new CountDownLatch(1);
    Pipeline<Integer, String> parted =
        Pipeline.define(
            "parted",
            Integer.class,
            String.class,
            flow -> {
              flow.input().step("quick", String.class, n -> note(ended, "quick"));
              flow.input()
                  .expand("all", Integer.class, n -> List.of(0, 1, 2))
                  .step(
                      "each",
                      String.class,
                      n -> {
                        if (n == 1) {
                          slow.await();
                        }
                        return note(ended, "each" + n);
                      });
              flow.barrier("mid");
              return flow.input().step("late", String.class, n -> note(ended, "late"));
            });
    Standpipe standpipe = engine().serve(parted);
    Run<String> run = standpipe.start(parted, 1);
    await().atMost(PATIENCE).until(() -> ended.size() == 3);
    assertThat(state(run, "late")).isEmpty();
    slow.countDown();
    assertThat(run.await(PATIENCE)).isEqualTo("late");
    assertThat(ended).hasSize(5).endsWith("each1", "late");
    assertThat(state(run, "mid")).contains(StepState.SUCCEEDED);
  }

  @Test
  default void aBarrierCountsSkippedStepsAsEnded() throws InterruptedException {
    Pipeline<String, String> parted =
        Pipeline.define(
            "parted-arms",
            String.class,
            String.class,
            flow -> {
              StepFunction<String, String> same = text -> text;
              flow.input()
                  .divert("way", same)
                  .on(
                      "a",
                      node -> {
                        node.expand("all", String.class, text -> List.of(text, text))
                            .step("each", String.class, same);
                        flow.barrier("on-arm");
                        return node.step("a2", String.class, same);
                      })
                  .otherwise(node -> node)
                  .converge();
              flow.barrier("mid");
              return flow.input().step("late", String.class, text -> text + "!");
            });
    Standpipe standpipe = engine().serve(parted);
    Run<String> taken = standpipe.start(parted, "a");
    Run<String> passed = standpipe.start(parted, "b");
    assertThat(taken.await(PATIENCE)).isEqualTo("a!");
    assertThat(state(taken, "on-arm")).contains(StepState.SUCCEEDED);
    assertThat(passed.await(PATIENCE)).isEqualTo("b!");
    assertThat(state(passed, "on-arm")).contains(StepState.SKIPPED);
    assertThat(state(passed, "mid")).contains(StepState.SUCCEEDED);
  }

  @Test
  default void aFailureBeforeABarrierBlocksLaterSteps() {
    Pipeline<String, String> parted =
        Pipeline.define(
            "parted-failing",
            String.class,
            String.class,
            flow -> {
              flow.input()
                  .step(
                      "fails",
                      String.class,
                      text -> {
                        throw new IllegalStateException("on purpose");
                      })
                  .retry(Retry.never());
              flow.input().step("beside", String.class, text -> text);
              flow.barrier("mid");
              return flow.input().step("late", String.class, text -> text);
            });
    Run<String> run = engine().serve(parted).start(parted, "x");
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    assertThat(state(run, "mid")).isEmpty();
    assertThat(state(run, "late")).isEmpty();
  }

  private static String note(Queue<String> notes, String what) {
    notes.add(what);
    return what;
  }

  /** Where a step is; empty if it has no row. */
  private static Optional<StepState> state(Run<?> run, String node) {
    return run.steps().stream()
        .filter(step -> step.node().equals(node))
        .map(StepInfo::state)
        .findFirst();
  }
}
