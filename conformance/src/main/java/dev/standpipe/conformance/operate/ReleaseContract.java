package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.NotQuarantinedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.info.StepId;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.operate.QuarantinedStep;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What an operator does about a step in quarantine, through the API. */
public interface ReleaseContract extends EnginePart {
  /** A branch that fans out and in, beside the step {@code bad}, and a step that joins both. */
  private static Pipeline<Integer, Integer> pipeline(Map<String, AtomicInteger> bodies) {
    return Pipeline.define(
        "released",
        Integer.class,
        Integer.class,
        flow -> {
          Node<Integer> bad =
              flow.input().step("bad", Integer.class, (n, ctx) -> run(bodies, ctx, n));
          Node<Integer> sum =
              flow.input()
                  .step("a", Integer.class, (n, ctx) -> run(bodies, ctx, n))
                  .expand("split", Integer.class, n -> List.of(n, n, n))
                  .step("each", Integer.class, (n, ctx) -> run(bodies, ctx, n + 1))
                  .collapse(
                      "sum",
                      Integer.class,
                      (list, ctx) -> run(bodies, ctx, list.stream().mapToInt(i -> i).sum()));
          return Node.join(bad, sum)
              .step("last", Integer.class, (x, y, ctx) -> run(bodies, ctx, x + y));
        });
  }

  private static int run(Map<String, AtomicInteger> bodies, StepContext ctx, int value)
      throws InterruptedException {
    bodies.computeIfAbsent(ctx.idempotencyKey(), key -> new AtomicInteger()).incrementAndGet();
    EngineFixture.pause(Duration.ofMillis(value % 7));
    return value;
  }

  /**
   * Starts runs whose step {@code bad} has all but used up its crashes, with a process long dead.
   */
  private List<Run<Integer>> poisoned(
      Standpipe client, Pipeline<Integer, Integer> pipeline, int n) {
    List<Run<Integer>> runs = client.startAll(pipeline, IntStream.range(0, n).boxed().toList());
    engine()
        .execute(
            "update standpipe_task set state = 1, owner = '%s', token = 9, crashes = 9 where node = 'bad'"
                .formatted(engine().dead()));
    return runs;
  }

  private void awaitHalted(List<Run<Integer>> runs) {
    await()
        .atMost(PATIENCE)
        .until(() -> runs.stream().allMatch(run -> run.status() == RunStatus.HALTED));
  }

  @Test
  default void aReleasedRunContinuesAndRedoesNothing() throws InterruptedException {
    int count = 20;
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    Pipeline<Integer, Integer> pipeline = pipeline(bodies);
    Standpipe client = engine().client();
    List<Run<Integer>> runs = poisoned(client, pipeline, count);
    engine().serve(pipeline);
    awaitHalted(runs);
    Quarantine quarantine = client.quarantine();
    List<QuarantinedStep> steps = quarantine.list(1000);
    assertThat(steps).hasSize(count).allMatch(step -> step.crashes() == 10);
    steps.forEach(step -> quarantine.release(step.step(), "ann", "fixed in 1.2"));
    assertThat(EngineFixture.await(runs))
        .isEqualTo(IntStream.range(0, count).map(n -> n + 3 * (n + 1)).boxed().toList());
    assertThat(bodies)
        .hasSize(count * 7)
        .allSatisfy((key, ran) -> assertThat(ran).as(key).hasValue(1));
    assertThat(quarantine.list(1000)).isEmpty();
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(
            engine()
                .query(
                    "select action, actor, reason, count(*) from standpipe_audit group by action, actor, reason"))
        .containsExactly("release|ann|fixed in 1.2|" + count);
  }

  @Test
  default void aDiscardedStepLeavesItsRunHalted() {
    Pipeline<Integer, Integer> pipeline = pipeline(new ConcurrentHashMap<>());
    Standpipe client = engine().client();
    List<Run<Integer>> runs = poisoned(client, pipeline, 1);
    engine().serve(pipeline);
    awaitHalted(runs);
    StepId step = new StepId(runs.get(0).id(), "bad", 0);
    Quarantine quarantine = client.quarantine();
    assertThat(quarantine.inspect(step).step()).isEqualTo(step);
    quarantine.discard(step, "ann", "a duplicate");
    assertThat(quarantine.list(10)).isEmpty();
    assertThat(runs.get(0).status()).isEqualTo(RunStatus.HALTED);
    assertThatExceptionOfType(NotQuarantinedException.class)
        .isThrownBy(() -> quarantine.release(step, "bob", "too late"))
        .withMessageContaining(step.toString());
    assertThatExceptionOfType(NotQuarantinedException.class)
        .isThrownBy(() -> quarantine.inspect(step));
  }

  @Test
  default void badArgumentsAreRefusedBeforeAnythingIsRead() {
    Quarantine quarantine = engine().client().quarantine();
    StepId step = new StepId(UUID.randomUUID(), "bad", 0);
    refused(() -> quarantine.release(step, " ", "why"));
    refused(() -> quarantine.release(step, "ann", ""));
    refused(() -> quarantine.discard(step, "", "why"));
    refused(() -> quarantine.discard(step, "ann", "\t"));
    refused(() -> quarantine.list(0));
    refused(() -> quarantine.list(1001));
    for (String bad : List.of("", "x", "x/y/0", step.run() + "/y", step.run() + "/y/z")) {
      refused(() -> StepId.parse(bad));
    }
    assertThat(StepId.parse(step.toString())).isEqualTo(step);
  }

  private static void refused(ThrowingCallable call) {
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
