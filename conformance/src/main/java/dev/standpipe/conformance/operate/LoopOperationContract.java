package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Loop;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.AwaitTimeoutException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.info.TurnInfo;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What operators, deadlines and dying processes do to loops. */
public interface LoopOperationContract extends EnginePart {
  /** What a loop does in each turn before it counts on. */
  @FunctionalInterface
  interface InEachTurn {
    void run(int state) throws Exception;
  }

  /** Counts from the input to five, and fails in a later step if told to. */
  private static Pipeline<Integer, String> toFive(
      String name, int limit, Duration delay, InEachTurn inEachTurn) {
    return Pipeline.define(
        name,
        Integer.class,
        String.class,
        flow ->
            flow.input()
                .step("before", Integer.class, n -> n)
                .loop(
                    "count",
                    String.class,
                    (state, ctx) -> {
                      inEachTurn.run(state);
                      return state < 5
                          ? Loop.again(state + 1).after(delay)
                          : Loop.done("at " + state);
                    })
                .limit(limit)
                .retry(Retry.never())
                .step("after", String.class, text -> text + "!"));
  }

  private static List<Integer> turns(Run<?> run) {
    return run.turns("count", 0, Integer.class).stream().map(TurnInfo::turn).toList();
  }

  @Test
  default void aReviveGoesOnAtTheTurnThatFailed() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    List<Integer> states = Collections.synchronizedList(new ArrayList<>());
    Pipeline<Integer, String> pipeline =
        toFive(
            "revived-loop",
            100,
            Duration.ZERO,
            state -> {
              states.add(state);
              if (state == 3 && broken.get()) {
                throw new IOException("broken");
              }
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 0);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    broken.set(false);
    standpipe.operator("eve").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(states).containsExactly(0, 1, 2, 3, 3, 4, 5);
    assertThat(turns(run)).containsExactly(1, 2, 3, 4, 5);
    assertThat(run.turns("count", 0, Integer.class)).extracting(TurnInfo::token).isSorted();
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aHigherLimitAndAReviveTakeALoopBeyondItsLimit() throws InterruptedException {
    Pipeline<Integer, String> narrow = toFive("limited", 3, Duration.ZERO, state -> {});
    Run<String> run;
    try (Standpipe standpipe = engine().process(narrow).start()) {
      run = standpipe.start(narrow, 0);
      assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
      assertThat(run.info().haltReason()).contains(HaltReason.LOOP_LIMIT);
      standpipe.operator("eve").revive(run.id(), "perhaps");
      assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    }
    Pipeline<Integer, String> wide = toFive("limited", 10, Duration.ZERO, state -> {});
    Standpipe standpipe = engine().serve(wide);
    standpipe.operator("eve").revive(run.id(), "more turns");
    assertThat(standpipe.run(wide, run.id()).await(PATIENCE)).isEqualTo("at 5!");
  }

  @Test
  default void aForkFromALoopBeginsItAnewAndOneBehindItDoesNot() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Pipeline<Integer, String> pipeline =
        toFive("forked-loop", 100, Duration.ZERO, state -> ran.incrementAndGet());
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 0);
    run.await(PATIENCE);
    Operator eve = standpipe.operator("eve");
    Run<String> behind = standpipe.run(pipeline, eve.fork(run.id(), "after", "what if"));
    assertThat(behind.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(ran).hasValue(6);
    assertThat(turns(behind)).isEmpty();
    Run<String> anew = standpipe.run(pipeline, eve.fork(run.id(), "count", "what if"));
    assertThat(anew.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(ran).hasValue(12);
    assertThat(turns(anew)).containsExactly(1, 2, 3, 4, 5);
    Run<String> again = standpipe.run(pipeline, eve.rerun(run.id(), "once more"));
    assertThat(again.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(ran).hasValue(18);
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aCancelEndsALoopThatWaitsAndARevivedOneGoesOn() throws InterruptedException {
    AtomicInteger ran = new AtomicInteger();
    Pipeline<Integer, String> pipeline =
        toFive("canceled-loop", 100, Duration.ofHours(1), state -> ran.incrementAndGet());
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 4);
    await()
        .atMost(PATIENCE)
        .until(() -> run.steps().stream().anyMatch(s -> s.state() == StepState.SCHEDULED));
    Operator eve = standpipe.operator("eve");
    eve.cancel(run.id(), "enough");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.status()).isEqualTo(RunStatus.CANCELED);
    eve.revive(run.id(), "not enough");
    assertThat(run.steps())
        .filteredOn(s -> s.node().equals("count"))
        .extracting(StepInfo::state, StepInfo::turn)
        .containsExactly(tuple(StepState.SCHEDULED, 2));
    engine().hasten("task");
    assertThat(run.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(ran).hasValue(2);
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aCancelInterruptsTheTurnThatRuns() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean stuck = new AtomicBoolean(true);
    Pipeline<Integer, String> pipeline =
        toFive(
            "interrupted-loop",
            100,
            Duration.ZERO,
            state -> {
              if (state == 2 && stuck.get()) {
                begun.countDown();
                new CountDownLatch(1).await();
              }
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 0);
    begun.await();
    standpipe.operator("eve").cancel(run.id(), "enough");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    stuck.set(false);
    standpipe.operator("eve").revive(run.id(), "go on");
    assertThat(run.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(turns(run)).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  default void aPausedLoopEndsItsTurnAndWaits() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger ran = new AtomicInteger();
    Pipeline<Integer, String> pipeline =
        toFive(
            "paused-loop",
            100,
            Duration.ZERO,
            state -> {
              ran.incrementAndGet();
              if (state == 2) {
                begun.countDown();
                go.await();
              }
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 0);
    begun.await();
    assertThat(standpipe.operator("pat").pause(run.id(), "hold on")).isTrue();
    go.countDown();
    await()
        .atMost(PATIENCE)
        .until(() -> run.steps().stream().anyMatch(s -> s.state() == StepState.PAUSED));
    assertThatExceptionOfType(AwaitTimeoutException.class)
        .isThrownBy(() -> run.await(Duration.ofMillis(500)));
    assertThat(ran).hasValue(3);
    assertThat(turns(run)).containsExactly(1, 2, 3);
    standpipe.operator("pat").resume(run.id(), "go on");
    assertThat(run.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(ran).hasValue(6);
  }

  @Test
  default void aDeadlineEndsALoop() {
    Pipeline<Integer, String> pipeline =
        toFive("late-loop", 100, Duration.ofMillis(400), state -> {});
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run =
        standpipe.start(pipeline, 0, RunOptions.none().deadline(Duration.ofMillis(700)));
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.info().haltReason()).contains(HaltReason.DEADLINE);
    assertThat(turns(run)).hasSizeBetween(1, 3);
  }

  @Test
  default void theValueOfALoopIsUndoneOnce() {
    List<String> undone = Collections.synchronizedList(new ArrayList<>());
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "undone-loop",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> state < 5 ? Loop.again(state + 1) : Loop.done("at 5"))
                    .compensate(value -> undone.add(value))
                    .step(
                        "fail",
                        String.class,
                        text -> {
                          throw new IOException("no");
                        })
                    .retry(Retry.never()));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.status()).isEqualTo(RunStatus.COMPENSATED);
    assertThat(undone).containsExactly("at 5");
  }

  @Test
  default void aLoopGoesOnWhereADeadProcessLeftIt() throws InterruptedException {
    List<Integer> states = Collections.synchronizedList(new ArrayList<>());
    Pipeline<Integer, String> pipeline =
        toFive("orphaned-loop", 100, Duration.ofHours(1), states::add);
    Run<String> run;
    try (Standpipe first = engine().process(pipeline).start()) {
      run = first.start(pipeline, 2);
      await().atMost(PATIENCE).until(() -> turns(run).size() == 1);
    }
    UUID dead = engine().dead();
    engine()
        .execute(
            "update standpipe_task set state = 1, due_at = null, owner = '%s', token = token + 1"
                .formatted(dead));
    Pipeline<Integer, String> quick = toFive("orphaned-loop", 100, Duration.ZERO, states::add);
    Standpipe second = engine().serve(quick);
    assertThat(second.run(quick, run.id()).await(PATIENCE)).isEqualTo("at 5!");
    assertThat(states).containsExactly(2, 3, 4, 5);
    assertThat(engine().query("select outcome, attempt from standpipe_attempt"))
        .containsExactly("crashed|1");
  }

  @Test
  default void aQuarantinedLoopIsReleasedAtItsTurn() throws InterruptedException {
    List<Integer> states = Collections.synchronizedList(new ArrayList<>());
    Pipeline<Integer, String> pipeline =
        toFive("deadly-loop", 100, Duration.ofHours(1), states::add);
    Run<String> run;
    try (Standpipe first = engine().process(pipeline).start()) {
      run = first.start(pipeline, 3);
      await().atMost(PATIENCE).until(() -> turns(run).size() == 1);
    }
    engine()
        .execute(
            "update standpipe_task set state = 1, due_at = null, owner = '%s', token = token + 1, crashes = 10"
                .formatted(UUID.randomUUID()));
    Pipeline<Integer, String> quick = toFive("deadly-loop", 100, Duration.ZERO, states::add);
    Standpipe second = engine().serve(quick);
    Run<String> again = second.run(quick, run.id());
    await().atMost(PATIENCE).until(() -> again.status() == RunStatus.HALTED);
    assertThat(again.info().haltReason()).contains(HaltReason.QUARANTINED);
    second.operator("eve").revive(run.id(), "mended");
    assertThat(again.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(states).containsExactly(3, 4, 5);
  }
}
