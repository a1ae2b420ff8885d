package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.ForkPoint;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.operate.Fork;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What users see of a fork, through the API. */
public interface ForkContract extends EnginePart {
  /** What bodies ran, as {@code run/node/index}. */
  record Bodies(ConcurrentLinkedQueue<String> ran, AtomicBoolean broken, CountDownLatch gate) {
    Bodies() {
      this(new ConcurrentLinkedQueue<>(), new AtomicBoolean(), new CountDownLatch(0));
    }

    int run(StepContext ctx, int value) throws IOException, InterruptedException {
      ran.add(ctx.idempotencyKey());
      if (ctx.node().equals("side")) {
        gate.await();
      }
      if (ctx.node().equals("sum") && broken.get()) {
        throw new IOException("the press is jammed");
      }
      return value;
    }

    /** Those of a run. */
    List<String> of(UUID run) {
      String prefix = run + "/";
      return ran.stream()
          .filter(key -> key.startsWith(prefix))
          .map(key -> key.substring(prefix.length()))
          .sorted()
          .toList();
    }
  }

  /**
   * {@code base}, then elements that {@code sum} adds up, with {@code side} beside; {@code last}
   * joins both.
   */
  private static Pipeline<Integer, Integer> pipeline(Bodies bodies) {
    return Pipeline.define(
        "forked",
        Integer.class,
        Integer.class,
        flow -> {
          Node<Integer> base =
              flow.input().step("base", Integer.class, (n, ctx) -> bodies.run(ctx, n + 1));
          Node<Integer> side =
              flow.input().step("side", Integer.class, (n, ctx) -> bodies.run(ctx, 1000 * n));
          Node<Integer> sum =
              base.expand("split", Integer.class, n -> List.of(n, 2 * n, 3 * n))
                  .step("each", Integer.class, (n, ctx) -> bodies.run(ctx, n + 1))
                  .collapse(
                      "sum",
                      Integer.class,
                      (list, ctx) -> bodies.run(ctx, list.stream().mapToInt(i -> i).sum()))
                  .retry(Retry.fixed(Duration.ZERO).limit(0));
          return Node.join(side, sum)
              .step("last", Integer.class, (x, y, ctx) -> bodies.run(ctx, x + y));
        });
  }

  private static int result(int n) {
    return 1000 * n + 6 * (n + 1) + 3;
  }

  @Test
  default void aForkTakesOverResultsBeforeItsNode() throws InterruptedException {
    Bodies bodies = new Bodies();
    Pipeline<Integer, Integer> pipeline = pipeline(bodies);
    Standpipe standpipe = engine().serve(pipeline);
    RunOptions options = RunOptions.key("k").priority(7).label("city", "Graz");
    Run<Integer> original = standpipe.start(pipeline, 2, options);
    assertThat(original.await(PATIENCE)).isEqualTo(result(2));
    List<StepInfo> before = original.steps();
    Map<String, List<String>> redone = new HashMap<>();
    redone.put("last", List.of("last/0"));
    redone.put("sum", List.of("last/0", "sum/0"));
    redone.put("each", List.of("each/0", "each/1", "each/2", "last/0", "sum/0"));
    redone.put("side", List.of("last/0", "side/0"));
    redone.put("base", List.of("base/0", "each/0", "each/1", "each/2", "last/0", "sum/0"));
    List<UUID> forks = new ArrayList<>();
    for (String node : List.of("last", "sum", "each", "side", "base", "split")) {
      UUID id = standpipe.operator("eve").fork(original.id(), node, "what if");
      forks.add(id);
      Run<Integer> fork = standpipe.run(pipeline, id);
      assertThat(fork.await(PATIENCE)).as(node).isEqualTo(result(2));
      assertThat(bodies.of(id)).as(node).isEqualTo(redone.getOrDefault(node, redone.get("each")));
      assertThat(fork.info().links().forkOf()).contains(new ForkPoint(original.id(), node));
      assertThat(fork.steps())
          .extracting(StepInfo::node)
          .isEqualTo(before.stream().map(StepInfo::node).toList());
    }
    RunInfo info = standpipe.run(forks.get(0)).info();
    assertThat(info.key()).isEmpty();
    assertThat(info.priority()).isEqualTo(7);
    assertThat(info.labels()).isEqualTo(Map.of("city", "Graz"));
    assertThat(info.rerunOf()).isEmpty();
    assertThat(original.info().links().forks()).containsExactlyInAnyOrderElementsOf(forks);
    assertThat(original.info().reruns()).isEmpty();
    assertThat(original.steps()).isEqualTo(before);
    assertThat(
            engine().query("select actor, action, node, reason from standpipe_audit order by id"))
        .startsWith("eve|fork|last|what if", "eve|fork|sum|what if");
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void takenOverStepsHaveNoAttemptsInTheFork() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = pipeline(new Bodies());
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> original = standpipe.start(pipeline, 1);
    original.await(PATIENCE);
    Run<Integer> fork =
        standpipe.run(pipeline, standpipe.operator("eve").fork(original.id(), "last", "again"));
    fork.await(PATIENCE);
    assertThat(fork.attempts()).extracting(AttemptInfo::node).containsExactly("last");
    assertThat(fork.steps())
        .filteredOn(step -> step.attempt() == 0)
        .extracting(StepInfo::node)
        .containsExactly("base", "each", "each", "each", "side", "split", "sum");
  }

  @Test
  default void forkedStepsReadTheEditedValues() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = pipeline(new Bodies());
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> original = standpipe.start(pipeline, 2);
    original.await(PATIENCE);
    Operator eve = standpipe.operator("eve");
    UUID input = eve.fork(original.id(), "base", "other", Fork.input(10));
    assertThat(standpipe.run(pipeline, input).await(PATIENCE)).isEqualTo(2000 + 6 * 11 + 3);
    UUID split = eve.fork(original.id(), "split", "other", Fork.input(100));
    assertThat(standpipe.run(pipeline, split).await(PATIENCE)).isEqualTo(2000 + 600 + 3);
    UUID one = eve.fork(original.id(), "last", "other", Fork.unchanged().value("sum", 5));
    assertThat(standpipe.run(pipeline, one).await(PATIENCE)).isEqualTo(2005);
    UUID both =
        eve.fork(original.id(), "last", "other", Fork.unchanged().value("sum", 5).value("side", 7));
    assertThat(standpipe.run(pipeline, both).await(PATIENCE)).isEqualTo(12);
    UUID again = eve.fork(both, "last", "a fork of a fork");
    assertThat(standpipe.run(pipeline, again).await(PATIENCE)).isEqualTo(12);
    assertThat(original.await(PATIENCE)).isEqualTo(result(2));
  }

  @Test
  default void aForkContinuesAHaltedRun() throws InterruptedException {
    Bodies bodies = new Bodies();
    bodies.broken().set(true);
    Pipeline<Integer, Integer> pipeline = pipeline(bodies);
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> original = standpipe.start(pipeline, 3);
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> original.await(PATIENCE));
    bodies.broken().set(false);
    Operator eve = standpipe.operator("eve");
    Run<Integer> fork = standpipe.run(pipeline, eve.fork(original.id(), "sum", "mended"));
    assertThat(fork.await(PATIENCE)).isEqualTo(result(3));
    assertThat(bodies.of(fork.id())).contains("sum/0", "last/0").doesNotContain("each/0", "base/0");
    assertThat(original.status()).isEqualTo(RunStatus.HALTED);
    assertThatExceptionOfType(NotForkableException.class)
        .isThrownBy(() -> eve.fork(original.id(), "last", "too far"))
        .withMessageContaining("has not finished: sum.");
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aRunningRunForksBehindItsFinishedSteps() throws InterruptedException {
    Bodies bodies =
        new Bodies(new ConcurrentLinkedQueue<>(), new AtomicBoolean(), new CountDownLatch(1));
    Pipeline<Integer, Integer> pipeline = pipeline(bodies);
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> original = standpipe.start(pipeline, 4);
    await().atMost(PATIENCE).until(() -> bodies.of(original.id()).contains("sum/0"));
    Operator eve = standpipe.operator("eve");
    assertThatExceptionOfType(NotForkableException.class)
        .isThrownBy(() -> eve.fork(original.id(), "last", "impatient"))
        .withMessageContaining("cannot be forked at node \"last\" yet")
        .withMessageContaining("side")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FORKABLE));
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("1");
    Run<Integer> fork = standpipe.run(pipeline, eve.fork(original.id(), "each", "once more"));
    await().atMost(PATIENCE).until(() -> bodies.of(fork.id()).contains("sum/0"));
    assertThat(original.status()).isEqualTo(RunStatus.RUNNING);
    bodies.gate().countDown();
    assertThat(fork.await(PATIENCE)).isEqualTo(result(4));
    assertThat(original.await(PATIENCE)).isEqualTo(result(4));
    assertThat(bodies.of(fork.id())).contains("side/0").doesNotContain("base/0");
  }

  @Test
  default void aForkOfABusyRunIsComplete() throws InterruptedException {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random dice = new Random(seed);
    int count = 60;
    Pipeline<Integer, Integer> pipeline = pipeline(new Bodies());
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<Integer>> originals =
        standpipe.startAll(pipeline, IntStream.range(0, count).boxed().toList());
    Operator eve = standpipe.operator("eve");
    Map<UUID, Integer> expected = new HashMap<>();
    List<String> nodes = List.of("base", "side", "split", "each", "sum", "last");
    for (int i = 0; i < count * 3; i++) {
      int n = dice.nextInt(count);
      String node = nodes.get(dice.nextInt(nodes.size()));
      try {
        expected.put(eve.fork(originals.get(n).id(), node, "swing"), result(n));
      } catch (NotForkableException e) {
        assertThat(e).hasMessageContaining("has not finished");
      }
    }
    for (Map.Entry<UUID, Integer> fork : expected.entrySet()) {
      assertThat(standpipe.run(pipeline, fork.getKey()).await(PATIENCE)).isEqualTo(fork.getValue());
    }
    EngineFixture.await(originals);
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void refusedForksWriteNothing() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = pipeline(new Bodies());
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> original = standpipe.start(pipeline, 1);
    original.await(PATIENCE);
    Operator eve = standpipe.operator("eve");
    for (String node : List.of("nowhere", "", "$input", "$end")) {
      assertThatExceptionOfType(NotForkableException.class)
          .isThrownBy(() -> eve.fork(original.id(), node, "lost"))
          .withMessageContaining("its nodes are base, each, last, side, split, sum");
    }
    refused(eve, original, "last", Fork.input(1), "it gets the values of side, sum");
    refused(eve, original, "last", Fork.unchanged().value("base", 1), "the values of side, sum");
    refused(eve, original, "base", Fork.unchanged().value("sum", 1), "the values of $input");
    refused(eve, original, "each", Fork.input(1), "for each element of an expand");
    refused(eve, original, "sum", Fork.input(1), "for each element of an expand");
    assertThatExceptionOfType(InvalidValueException.class)
        .isThrownBy(() -> eve.fork(original.id(), "base", "odd", Fork.input("\uD800")));
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> eve.fork(original.id(), "base", " "))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> eve.fork(UUID.randomUUID(), "base", "nobody"));
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("1");
    assertThat(engine().query("select count(*) from standpipe_audit")).containsExactly("0");
  }

  /**
   * {@code pick} names an arm; {@code small} is on one, {@code large} and {@code wrap} on the
   * other. Each step but those leaves its key in the context, and can be undone.
   */
  private static Pipeline<Integer, String> parting(
      ConcurrentLinkedQueue<String> undone, AtomicBoolean broken) {
    return Pipeline.define(
        "parting",
        Integer.class,
        String.class,
        flow -> {
          flow.onComplete((end, ctx) -> undone.add("told of " + end.run()));
          return flow.input()
              .step("weigh", Integer.class, (n, ctx) -> noted(ctx, n))
              .compensate((n, ctx) -> undone.add("weigh " + n))
              .divert("pick", n -> n < 10 ? "light" : "heavy")
              .on("light", n -> n.step("small", String.class, x -> "small " + x))
              .on(
                  "heavy",
                  n ->
                      n.step("large", String.class, x -> "large " + x)
                          .step("wrap", String.class, x -> x + ", wrapped"))
              .orHalt()
              .converge()
              .step("send", String.class, (parcel, ctx) -> sent(ctx, parcel, broken))
              .retry(Retry.fixed(Duration.ZERO).limit(0));
        });
  }

  private static int noted(StepContext ctx, int n) {
    ctx.context().set("weighed", n);
    return n;
  }

  private static String sent(StepContext ctx, String parcel, AtomicBoolean broken)
      throws IOException {
    if (broken.get()) {
      throw new IOException("the van is out");
    }
    return parcel
        + " "
        + ctx.context().get("weighed", Integer.class).map(n -> "of " + n).orElse("");
  }

  @Test
  default void forkedRunsKeepSkippedStepsAndRepeatDiverts() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        parting(new ConcurrentLinkedQueue<>(), new AtomicBoolean());
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> original = standpipe.start(pipeline, 3);
    assertThat(original.await(PATIENCE)).isEqualTo("small 3 of 3");
    List<String> before = states(original);
    Operator eve = standpipe.operator("eve");
    for (String node : List.of("send", "pick:converge", "small", "pick", "weigh")) {
      Run<String> fork = standpipe.run(pipeline, eve.fork(original.id(), node, "again"));
      assertThat(fork.await(PATIENCE)).as(node).isEqualTo("small 3 of 3");
      assertThat(states(fork)).as(node).isEqualTo(before);
    }
    Run<String> other =
        standpipe.run(pipeline, eve.fork(original.id(), "pick", "heavier", Fork.input(30)));
    assertThat(other.await(PATIENCE)).isEqualTo("large 30, wrapped of 3");
    for (String node : List.of("large", "wrap")) {
      assertThatExceptionOfType(NotForkableException.class)
          .isThrownBy(() -> eve.fork(original.id(), node, "not there"))
          .withMessageContaining("it was skipped there");
    }
    assertThatExceptionOfType(NotForkableException.class)
        .isThrownBy(
            () ->
                eve.fork(
                    original.id(), "pick:converge", "odd", Fork.unchanged().value("wrap", "x")))
        .withMessageContaining("that was skipped, and has none");
    assertThat(standpipe.doctor()).isEmpty();
  }

  private static List<String> states(Run<?> run) {
    return run.steps().stream().map(step -> step.node() + " " + step.state()).toList();
  }

  @Test
  default void aForkCopiesTheContextOfTakenOverSteps() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        parting(new ConcurrentLinkedQueue<>(), new AtomicBoolean());
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> original = standpipe.start(pipeline, 3);
    original.await(PATIENCE);
    Operator eve = standpipe.operator("eve");
    UUID without = eve.fork(original.id(), "send", "forget", Fork.unchanged().withoutContext());
    assertThat(standpipe.run(pipeline, without).await(PATIENCE)).isEqualTo("small 3 ");
    UUID anew = eve.fork(original.id(), "weigh", "set once more", Fork.input(4));
    assertThat(standpipe.run(pipeline, anew).await(PATIENCE)).isEqualTo("small 4 of 4");
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aForkCompensatesItsOwnStepsOnly() throws InterruptedException {
    ConcurrentLinkedQueue<String> undone = new ConcurrentLinkedQueue<>();
    AtomicBoolean broken = new AtomicBoolean();
    Pipeline<Integer, String> pipeline = parting(undone, broken);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> original = standpipe.start(pipeline, 3);
    original.await(PATIENCE);
    broken.set(true);
    Operator eve = standpipe.operator("eve");
    UUID late = eve.fork(original.id(), "send", "late");
    UUID early = eve.fork(original.id(), "weigh", "early");
    await()
        .atMost(PATIENCE)
        .until(() -> undone.contains("told of " + late) && undone.contains("told of " + early));
    assertThat(undone).filteredOn(word -> word.startsWith("weigh")).containsExactly("weigh 3");
    assertThat(standpipe.run(late).status()).isEqualTo(RunStatus.COMPENSATED);
    assertThatExceptionOfType(NotForkableException.class)
        .isThrownBy(() -> eve.fork(early, "send", "undone"))
        .withMessageContaining("is compensated");
  }

  private static void refused(
      Operator eve, Run<Integer> run, String node, Fork options, String message) {
    assertThatExceptionOfType(NotForkableException.class)
        .isThrownBy(() -> eve.fork(run.id(), node, "odd", options))
        .withMessageContaining(message);
  }
}
