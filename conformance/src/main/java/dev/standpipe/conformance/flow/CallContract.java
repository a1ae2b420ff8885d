package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepFunction;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that call others, and what each means for the other. */
public interface CallContract extends EnginePart {
  private static Pipeline<Integer, Integer> called(StepFunction<Integer, Integer> body) {
    return Pipeline.define(
        "called",
        Integer.class,
        Integer.class,
        flow ->
            flow.input()
                .step("before", Integer.class, n -> n + 1)
                .step("work", Integer.class, body)
                .retry(Retry.never()));
  }

  private static Pipeline<Integer, String> caller(Pipeline<Integer, Integer> called) {
    return caller(called, call -> call);
  }

  private static Pipeline<Integer, String> caller(
      Pipeline<Integer, Integer> called, UnaryOperator<Node<Integer>> special) {
    return Pipeline.define(
        "caller",
        Integer.class,
        String.class,
        flow ->
            special
                .apply(flow.input().call("sub", called))
                .step("end", String.class, n -> "got " + n));
  }

  private static UUID onlyCalled(Run<?> run) {
    await().atMost(PATIENCE).until(() -> !run.info().links().calls().isEmpty());
    return run.info().links().calls().get(0);
  }

  private static int broken() {
    throw new IllegalStateException("broken");
  }

  @Test
  default void aCallReturnsTheResultOfTheCalledRun() throws InterruptedException {
    Pipeline<Integer, String> caller = caller(called(n -> n * 10));
    Standpipe standpipe = engine().serve(caller);
    RunOptions options = RunOptions.none().priority(7).label("customer", "acme");
    Run<String> run = standpipe.start(caller, 1, options);
    assertThat(run.await(PATIENCE)).isEqualTo("got 20");
    RunInfo called = standpipe.run(onlyCalled(run)).info();
    assertThat(called.pipeline()).isEqualTo("called");
    assertThat(called.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(called.priority()).isEqualTo(7);
    assertThat(called.labels()).containsEntry("customer", "acme");
    assertThat(called.links().calledBy()).contains(new StepId(run.id(), "sub", 0));
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void aWaitingCallHoldsNoLease() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<Integer, String> caller =
        caller(
            called(
                n -> {
                  gate.await();
                  return n;
                }));
    Run<String> run = engine().serve(caller).start(caller, 1);
    await()
        .atMost(PATIENCE)
        .until(() -> run.steps().stream().anyMatch(s -> s.state() == StepState.WAITING));
    assertThat(run.steps()).extracting(StepInfo::node).containsExactly("sub");
    gate.countDown();
    assertThat(run.await(PATIENCE)).isEqualTo("got 2");
  }

  @Test
  default void eachElementCallsARunOfItsOwn() throws InterruptedException {
    Pipeline<Integer, String> each =
        Pipeline.define(
            "each",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .expand("all", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .call("sub", called(n -> n * 10))
                    .collapse("sum", String.class, List::toString));
    Run<String> run = engine().serve(each).start(each, 20);
    assertThat(run.await(PATIENCE))
        .isEqualTo(IntStream.rangeClosed(1, 20).mapToObj(n -> n * 10).toList().toString());
    assertThat(run.info().links().calls()).hasSize(20).doesNotHaveDuplicates();
  }

  @Test
  default void aCalledRunHaltsAndRevivesWithItsCaller() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicInteger before = new AtomicInteger();
    Pipeline<Integer, Integer> called =
        Pipeline.define(
            "called",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("before", Integer.class, n -> n + before.incrementAndGet())
                    .step("work", Integer.class, n -> broken.get() ? broken() : n)
                    .retry(Retry.never()));
    Pipeline<Integer, String> caller = caller(called);
    Standpipe standpipe = engine().serve(caller);
    Run<String> run = standpipe.start(caller, 1);
    assertThatThrownBy(() -> run.await(PATIENCE))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("has ended halted (retries exhausted), at step \"work\"");
    assertThat(run.info().haltReason()).contains(HaltReason.CALL_FAILED);
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("got 2");
    assertThat(before).as("what had finished is not done again").hasValue(1);
    assertThat(run.info().links().calls()).hasSize(1);
  }

  @Test
  default void aRetriedCallIsANewRun() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<Integer, String> caller =
        caller(
            called(n -> tries.incrementAndGet() < 3 ? broken() : n),
            call -> call.retry(Retry.fixed(Duration.ZERO).limit(2)));
    Run<String> run = engine().serve(caller).start(caller, 1);
    assertThat(run.await(PATIENCE)).isEqualTo("got 2");
    assertThat(run.info().links().calls()).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  default void cancelAndReviveReachCalledRuns() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<Integer, Integer> deepest =
        called(
            n -> {
              gate.await();
              return n;
            });
    Pipeline<Integer, Integer> middle =
        Pipeline.define(
            "middle", Integer.class, Integer.class, flow -> flow.input().call("deeper", deepest));
    Pipeline<Integer, String> caller = caller(middle);
    Standpipe standpipe = engine().serve(caller);
    Run<String> run = standpipe.start(caller, 1);
    UUID child = onlyCalled(run);
    UUID grandchild = onlyCalled(standpipe.run(child));
    standpipe.operator("ann").cancel(run.id(), "enough", Duration.ZERO);
    for (UUID id : List.of(run.id(), child, grandchild)) {
      await().atMost(PATIENCE).until(() -> standpipe.run(id).status() == RunStatus.CANCELED);
    }
    assertThat(standpipe.run(grandchild).info().cancellation().orElseThrow().by()).isEqualTo("ann");
    gate.countDown();
    standpipe.operator("ann").revive(run.id(), "on second thoughts");
    assertThat(run.await(PATIENCE)).isEqualTo("got 2");
    assertThat(standpipe.run(grandchild).status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  default void aCanceledCallFailsItsCaller() {
    Pipeline<Integer, String> caller =
        caller(
            called(
                n -> {
                  new CountDownLatch(1).await();
                  return n;
                }));
    Standpipe standpipe = engine().serve(caller);
    Run<String> run = standpipe.start(caller, 1);
    standpipe.operator("ann").cancel(onlyCalled(run), "not this one", Duration.ZERO);
    assertThatThrownBy(() -> run.await(PATIENCE))
        .isInstanceOf(RunFailedException.class)
        .hasMessageContaining("has ended canceled");
  }

  @Test
  default void aCallOutlivesItsProcess() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<Integer, String> caller =
        caller(
            called(
                n -> {
                  gate.await();
                  return n;
                }));
    Standpipe first = engine().serve(caller);
    Run<String> run = first.start(caller, 1);
    onlyCalled(run);
    gate.countDown();
    first.close();
    Standpipe second = engine().serve(caller);
    assertThat(second.run(caller, run.id()).await(PATIENCE)).isEqualTo("got 2");
    assertThat(second.run(run.id()).info().links().calls()).hasSize(1);
  }

  @Test
  default void anEarlyEndCancelsCalledRuns() throws InterruptedException {
    Pipeline<Integer, Integer> endless =
        Pipeline.define(
            "endless",
            Integer.class,
            Integer.class,
            flow -> flow.input().delay("for-ever", Duration.ofDays(1)));
    Pipeline<Integer, Integer> caller =
        Pipeline.define(
            "finishing-caller",
            Integer.class,
            Integer.class,
            flow -> {
              Node<Integer> sub = flow.input().call("sub", endless);
              Node<Integer> ends =
                  flow.input()
                      .step(
                          "ends",
                          Integer.class,
                          (n, ctx) -> {
                            if (engine().query("select run_id from standpipe_called").isEmpty()) {
                              throw Retry.after(Duration.ofMillis(100));
                            }
                            ctx.finishRun(n + 1);
                            return n;
                          });
              return Node.join(sub, ends).step("both", Integer.class, Integer::sum);
            });
    Standpipe standpipe = engine().serve(caller, endless);
    Run<Integer> run = standpipe.start(caller, 1);
    assertThat(run.await(PATIENCE)).isEqualTo(2);
    UUID called = onlyCalled(run);
    await().atMost(PATIENCE).until(() -> standpipe.run(called).status() == RunStatus.CANCELED);
    assertThat(standpipe.run(called).info().cancellation().orElseThrow().reason())
        .isEqualTo("the step ends has ended the run that called it");
  }

  @Test
  default void aDeadlineCancelsCalledRuns() {
    Pipeline<Integer, Integer> endless =
        Pipeline.define(
            "endless-too",
            Integer.class,
            Integer.class,
            flow -> flow.input().delay("for-ever", Duration.ofDays(1)));
    Pipeline<Integer, String> caller = caller(endless);
    Standpipe standpipe = engine().serve(caller, endless);
    Run<String> run = standpipe.start(caller, 1, RunOptions.none().deadline(Duration.ofHours(1)));
    UUID called = onlyCalled(run);
    engine().hasten("deadline");
    await().atMost(PATIENCE).until(() -> standpipe.run(called).status() == RunStatus.CANCELED);
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.HALTED);
    assertThat(run.info().haltReason()).contains(HaltReason.DEADLINE);
  }
}
