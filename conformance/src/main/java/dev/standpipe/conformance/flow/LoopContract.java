package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Loop;
import dev.standpipe.LoopBody;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.engine.RetryContract;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.info.TurnInfo;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies that run turn after turn. */
public interface LoopContract extends EnginePart {
  /** Long enough to be told from no wait at all. */
  Duration WAIT = Duration.ofMillis(600);

  /** What a poll knows from turn to turn. */
  record Poll(String job, int looks) {}

  /** A run that counts up to its input's tens, one by one. */
  private static Pipeline<Integer, String> counting(String name, LoopBody<Integer, String> body) {
    return Pipeline.define(
        name,
        Integer.class,
        String.class,
        flow ->
            flow.input()
                .loop("count", String.class, body)
                .step("after", String.class, s -> s + "!"));
  }

  private static Loop<Integer, String> upTo(int most, int state) {
    return state < most ? Loop.again(state + 1) : Loop.done("at " + state);
  }

  @Test
  default void eachTurnGetsTheStateOfTheTurnBefore() throws InterruptedException {
    List<Integer> states = Collections.synchronizedList(new ArrayList<>());
    Pipeline<Integer, String> pipeline =
        counting(
            "counting",
            (state, ctx) -> {
              states.add(state);
              assertThat(ctx.turn()).isEqualTo(states.size());
              return upTo(5, state);
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("at 5!");
    assertThat(states).containsExactly(0, 1, 2, 3, 4, 5);
    assertThat(run.turns("count", 0, Integer.class))
        .extracting(TurnInfo::turn, TurnInfo::state, TurnInfo::attempt)
        .containsExactly(
            tuple(1, 1, 1), tuple(2, 2, 1), tuple(3, 3, 1), tuple(4, 4, 1), tuple(5, 5, 1));
    assertThat(run.turns("count", 0, Integer.class))
        .extracting(TurnInfo::token)
        .isSorted()
        .doesNotHaveDuplicates();
    assertThat(run.steps())
        .extracting(StepInfo::node, StepInfo::state, StepInfo::turn)
        .containsExactly(
            tuple("after", StepState.SUCCEEDED, 1), tuple("count", StepState.SUCCEEDED, 6));
    assertThat(run.turns("after", 0, Integer.class)).isEmpty();
    assertThat(pipeline.toMermaid()).contains("(\"count\")");
  }

  @Test
  default void aStateAndAValueAreOfTheirOwnTypes() throws InterruptedException {
    Pipeline<String, List<String>> pipeline =
        Pipeline.define(
            "poll-job",
            TypeToken.of(String.class),
            new TypeToken<List<String>>() {},
            flow ->
                flow.input()
                    .step("begin", Poll.class, job -> new Poll(job, 0))
                    .loop(
                        "poll",
                        new TypeToken<List<String>>() {},
                        (poll, ctx) ->
                            poll.looks() == 2
                                ? Loop.done(List.of(poll.job(), "ready"))
                                : Loop.again(new Poll(poll.job(), poll.looks() + 1))
                                    .after(Duration.ofMillis(20))));
    Run<List<String>> run = engine().serve(pipeline).start(pipeline, "j1");
    assertThat(run.await(PATIENCE)).containsExactly("j1", "ready");
    assertThat(run.turns("poll", 0, Poll.class))
        .extracting(TurnInfo::state)
        .containsExactly(new Poll("j1", 1), new Poll("j1", 2));
  }

  @Test
  default void aDelayBetweenTurnsHoldsNoThreadAndOutlivesItsProcess() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        counting(
            "patient",
            (state, ctx) ->
                state == 2
                    ? Loop.done("at 2")
                    : Loop.again(state + 1).after(Duration.ofHours(state == 0 ? 1 : 0)));
    Standpipe first = engine().start(engine().process(pipeline).concurrency(1));
    List<Run<String>> runs = first.startAll(pipeline, Collections.nCopies(20, 0));
    String waiting = "select count(*) from standpipe_task where state = 2 and owner is null";
    await().atMost(PATIENCE).until(() -> engine().query(waiting).equals(List.of("20")));
    assertThat(runs.get(0).steps())
        .extracting(StepInfo::state, StepInfo::turn)
        .containsExactly(tuple(StepState.SCHEDULED, 2));
    assertThat(runs.get(0).pending().get(0).dueIn().orElseThrow()).isPositive();
    assertThat(first.doctor()).isEmpty();
    first.close();
    engine().hasten("task");
    engine().serve(pipeline);
    Standpipe client = engine().client();
    for (Run<String> run : runs) {
      assertThat(client.run(pipeline, run.id()).await(PATIENCE)).isEqualTo("at 2!");
    }
  }

  @Test
  default void theNextTurnComesNoSoonerThanItsDelay() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        counting(
            "waiting-turns",
            (state, ctx) -> state == 2 ? Loop.done("2") : Loop.again(state + 1).after(WAIT));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    run.await(PATIENCE);
    List<TurnInfo<Integer>> turns = run.turns("count", 0, Integer.class);
    assertThat(Duration.between(turns.get(0).finishedAt(), turns.get(1).finishedAt()))
        .isGreaterThanOrEqualTo(WAIT);
  }

  @Test
  default void retriesAreCountedForEachTurn() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    Set<String> keys = ConcurrentHashMap.newKeySet();
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "stumbling",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> {
                          keys.add(ctx.idempotencyKey());
                          if (tries.incrementAndGet() % 3 != 0) {
                            throw new IOException("a bad line");
                          }
                          assertThat(ctx.attempt()).isEqualTo(3);
                          return upTo(4, state);
                        })
                    .retry(RetryContract.QUICK.limit(2)));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("at 4");
    assertThat(tries).hasValue(15);
    assertThat(keys).hasSize(5);
    assertThat(run.turns("count", 0, Integer.class))
        .extracting(TurnInfo::attempt)
        .containsExactly(3, 3, 3, 3);
    assertThat(run.attempts()).filteredOn(a -> a.outcome() == AttemptOutcome.FAILED).hasSize(10);
  }

  @Test
  default void aTurnThatFailsForGoodHaltsTheRun() {
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "breaking",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> {
                          if (state == 2) {
                            throw new IOException("broken");
                          }
                          return upTo(4, state);
                        })
                    .retry(Retry.never()));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("broken");
    assertThat(run.steps())
        .extracting(StepInfo::state, StepInfo::turn)
        .containsExactly(tuple(StepState.FAILED, 3));
  }

  @Test
  default void aTurnHasATimeout() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "slow-turn",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> {
                          if (state == 1 && tries.incrementAndGet() == 1) {
                            EngineFixture.pause(PATIENCE);
                          }
                          return upTo(3, state);
                        })
                    .timeout(Duration.ofMillis(300))
                    .retry(RetryContract.QUICK));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("at 3");
    assertThat(run.attempts())
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.TIMED_OUT, AttemptOutcome.SUCCEEDED);
  }

  @Test
  default void oneTurnTooManyHaltsTheRun() {
    AtomicInteger turns = new AtomicInteger();
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "endless",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> {
                          turns.incrementAndGet();
                          return Loop.again(state + 1);
                        })
                    .limit(7));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("The loop \"count\" asked for another turn after 7");
    assertThat(run.info().haltReason()).contains(HaltReason.LOOP_LIMIT);
    assertThat(turns).hasValue(7);
  }

  @SuppressWarnings("NullAway") // what a user's code can do all the same
  @Test
  default void aTurnThatReturnsNullHaltsTheRun() {
    Pipeline<Integer, String> pipeline = counting("nothing-said", (state, ctx) -> null);
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("returned null: return Loop.again(…) or Loop.done(…)");
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
  }

  @Test
  default void aNegativeDelayFailsItsTurn() {
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "backwards",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> Loop.again(state).after(Duration.ofSeconds(-1)))
                    .retry(Retry.never()));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("must be zero to 36500 days, was PT-1S");
  }

  @Test
  default void onlyTheLastTurnsStay() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "forgetful",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop(
                        "count",
                        String.class,
                        (state, ctx) -> {
                          if (ctx.attempt() == 1) {
                            throw new IOException("a stumble in each turn");
                          }
                          return upTo(40, state);
                        })
                    .retry(Retry.fixed(Duration.ZERO).limit(1))
                    .keep(3));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("at 40");
    assertThat(run.turns("count", 0, Integer.class))
        .extracting(TurnInfo::turn)
        .containsExactly(38, 39, 40);
    assertThat(run.attempts()).filteredOn(a -> a.outcome() == AttemptOutcome.FAILED).hasSize(4);
    assertThat(run.steps()).extracting(StepInfo::turn).containsExactly(41);
  }

  /** Five hundred loops side by side, so that their turns share commits. */
  @Test
  default void aHundredThousandTurnsNeedFewRows() throws InterruptedException {
    int loops = 500;
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "many-turns",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("all", Integer.class, n -> Collections.nCopies(n, 1))
                    .loop(
                        "count",
                        Integer.class,
                        (state, ctx) -> state < 200 ? Loop.again(state + 1) : Loop.done(state))
                    .keep(2)
                    .collapse("sum", Integer.class, all -> all.stream().mapToInt(n -> n).sum()));
    Run<Integer> run = engine().serve(pipeline).start(pipeline, loops);
    assertThat(run.await(Duration.ofMinutes(5))).isEqualTo(100_000);
    assertThat(engine().query("select count(*), min(turn), max(turn) from standpipe_turn"))
        .containsExactly(2 * loops + "|198|199");
  }

  @Test
  default void eachElementHasALoopOfItsOwn() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "each-loops",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("all", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .loop(
                        "grow",
                        Integer.class,
                        (state, ctx) -> {
                          int turns = ctx.index() % 5; // and one that is the last
                          return ctx.turn() > turns
                              ? Loop.done(state)
                              : Loop.again(state + 1000)
                                  .after(Duration.ofMillis(ctx.index() % 2 == 0 ? 0 : 5));
                        })
                    .keep(2)
                    .step("next", Integer.class, n -> n + 1)
                    .collapse("sum", Integer.class, l -> l.stream().mapToInt(n -> n).sum()));
    int elements = 200;
    Run<Integer> run = engine().serve(pipeline).start(pipeline, elements);
    int expected = IntStream.range(0, elements).map(i -> i + 1 + 1000 * (i % 5)).sum();
    assertThat(run.await(PATIENCE)).isEqualTo(expected);
    assertThat(run.turns("grow", 4, Integer.class))
        .extracting(TurnInfo::turn, TurnInfo::state)
        .containsExactly(tuple(3, 3004), tuple(4, 4004));
    assertThat(run.turns("grow", 5, Integer.class)).isEmpty();
    assertThat(engine().query("select max(turn) from standpipe_turn")).containsExactly("4");
  }

  @Test
  default void runsStartedTogetherLoop() throws InterruptedException {
    Pipeline<Integer, String> pipeline = counting("bulk-loops", (state, ctx) -> upTo(500, state));
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<String>> runs =
        standpipe.startAll(pipeline, IntStream.range(490, 510).boxed().toList());
    List<String> ends = EngineFixture.await(runs);
    for (int i = 0; i < ends.size(); i++) {
      assertThat(ends.get(i)).isEqualTo("at " + Math.max(500, 490 + i) + "!");
    }
  }

  @Test
  default void whatATurnPutsIntoTheContextIsThereForTheNext() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        counting(
            "remembering",
            (state, ctx) -> {
              int seen = ctx.context().get("seen", Integer.class).orElse(0);
              assertThat(seen).isEqualTo(state);
              ctx.context().replace("seen", state + 1);
              return upTo(15, state);
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("at 15!");
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aTurnMayEndTheRunEarly() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        counting(
            "early-end",
            (state, ctx) -> {
              if (state == 3) {
                ctx.finishRun("early");
              }
              return upTo(5, state);
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("early");
    assertThat(run.turns("count", 0, Integer.class)).hasSize(4);
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void anIgnoredLoopLosesNothingButItself() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "ignored-loop",
            Integer.class,
            String.class,
            flow -> {
              Node<String> loop =
                  flow.input()
                      .loop("count", String.class, (state, ctx) -> Loop.again(state + 1))
                      .limit(3)
                      .strategy(Strategy.IGNORE);
              return loop.step("after", String.class, value -> "got " + value);
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    await().atMost(PATIENCE).until(() -> run.status().isTerminal());
    assertThat(run.status()).isNotEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.value("after", 0, String.class)).contains("got null");
  }

  @Test
  default void aLoopIsDelayedOnceBeforeItsFirstTurn() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "delayed-loop",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .loop("count", String.class, (state, ctx) -> upTo(12, state))
                    .delay(WAIT));
    Run<String> run = engine().serve(pipeline).start(pipeline, 0);
    assertThat(run.await(PATIENCE)).isEqualTo("at 12");
    assertThat(Duration.between(run.info().createdAt(), run.info().finishedAt().orElseThrow()))
        .isGreaterThanOrEqualTo(WAIT);
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
  }

  @Test
  default void listenersHearOfEveryTurn() throws InterruptedException {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch ended = new CountDownLatch(1);
    Pipeline<Integer, String> pipeline = counting("heard", (state, ctx) -> upTo(3, state));
    Standpipe standpipe =
        engine()
            .start(
                engine()
                    .process(pipeline)
                    .listener(
                        event -> {
                          if (event instanceof Event.TurnFinished turn) {
                            heard.add(turn.name() + " " + turn.turn());
                          } else if (event instanceof Event.ExecutionSucceeded done
                              && done.step().node().equals("count")) {
                            heard.add(done.name());
                            ended.countDown();
                          }
                        }));
    standpipe.start(pipeline, 0).await(PATIENCE);
    ended.await();
    assertThat(heard)
        .containsExactly(
            "turn_finished 1", "turn_finished 2", "turn_finished 3", "execution_succeeded");
  }
}
