package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.NotRevivableException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.Revive;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What users see of a revive, through the API. */
public interface RevivingContract extends EnginePart {
  /** A fan-out and a step {@code bad} beside it that fails while something is broken. */
  private static Pipeline<Integer, Integer> pipeline(
      AtomicBoolean broken, Map<String, AtomicInteger> bodies) {
    return Pipeline.define(
        "revived",
        Integer.class,
        Integer.class,
        flow -> {
          Node<Integer> bad =
              flow.input()
                  .step(
                      "bad",
                      Integer.class,
                      (n, ctx) -> {
                        if (broken.get()) {
                          throw new IOException("the press is jammed");
                        }
                        return run(bodies, ctx, n);
                      })
                  .retry(Retry.fixed(Duration.ZERO).limit(1));
          Node<Integer> sum =
              flow.input()
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
    EngineFixture.pause(Duration.ofMillis(value % 5));
    return value;
  }

  @Test
  default void aReviveRetriesFailedStepsOnly() throws InterruptedException {
    int count = 20;
    AtomicBoolean broken = new AtomicBoolean(true);
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    Pipeline<Integer, Integer> pipeline = pipeline(broken, bodies);
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<Integer>> runs =
        standpipe.startAll(pipeline, IntStream.range(0, count).boxed().toList());
    await().atMost(PATIENCE).until(() -> runs.stream().allMatch(r -> r.status().isTerminal()));
    assertThat(runs).allMatch(run -> run.status() == RunStatus.HALTED);
    broken.set(false);
    Operator eve = standpipe.operator("eve");
    runs.forEach(run -> eve.revive(run.id(), "mended", Revive.only("bad")));
    assertThat(EngineFixture.await(runs))
        .isEqualTo(IntStream.range(0, count).map(n -> n + 3 * (n + 1)).boxed().toList());
    assertThat(bodies)
        .hasSize(count * 6)
        .allSatisfy((key, ran) -> assertThat(ran).as(key).hasValue(1));
    assertThat(runs.get(0).attempts())
        .filteredOn(attempt -> attempt.node().equals("bad"))
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.FAILED, AttemptOutcome.FAILED, AttemptOutcome.SUCCEEDED);
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void aRevivedRunMayHaltAgain() {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<Integer, Integer> pipeline = pipeline(broken, new ConcurrentHashMap<>());
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> run = standpipe.start(pipeline, 1);
    for (int i = 1; i <= 3; i++) {
      assertThatExceptionOfType(RunFailedException.class)
          .isThrownBy(() -> run.await(PATIENCE))
          .withMessageContaining("failed on attempt 2");
      assertThat(run.attempts().stream().filter(a -> a.node().equals("bad")).count())
          .isEqualTo(2L * i);
      standpipe.operator("eve").revive(run.id(), "perhaps now");
    }
  }

  @Test
  default void aReviveMaySetTheRetryLimit() {
    Pipeline<Integer, Integer> pipeline =
        pipeline(new AtomicBoolean(true), new ConcurrentHashMap<>());
    Standpipe standpipe = engine().serve(pipeline);
    Run<Integer> run = standpipe.start(pipeline, 1);
    Operator eve = standpipe.operator("eve");
    haltsAtAttempt(run, 2);
    eve.revive(run.id(), "more", Revive.all().retryLimit(4));
    haltsAtAttempt(run, 5);
    eve.revive(run.id(), "less", Revive.only("bad").retryLimit(0));
    haltsAtAttempt(run, 1);
    eve.revive(run.id(), "as ever");
    haltsAtAttempt(run, 2);
    assertThatExceptionOfType(IllegalArgumentException.class)
        .isThrownBy(() -> Revive.all().retryLimit(-1));
  }

  private static void haltsAtAttempt(Run<Integer> run, int attempt) {
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("failed on attempt " + attempt);
  }

  @Test
  default void aReviveContinuesACanceledRun() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean wait = new AtomicBoolean(true);
    Pipeline<String, String> pipeline =
        single(
            "stopped",
            (text, ctx) -> {
              begun.countDown();
              if (wait.get()) {
                EngineFixture.pause(PATIENCE);
              }
              return text;
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    begun.await();
    Operator eve = standpipe.operator("eve");
    eve.cancel(run.id(), "stop");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    wait.set(false);
    eve.revive(run.id(), "go on");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThat(run.info().cancellation()).isEmpty();
  }

  @Test
  default void aReviveRetriesAQuarantinedStep() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = pipeline(new AtomicBoolean(), new ConcurrentHashMap<>());
    Standpipe client = engine().client();
    Run<Integer> run = client.startAll(pipeline, List.of(4)).get(0);
    engine()
        .execute(
            "update standpipe_task set state = 1, owner = '%s', token = 9, crashes = 10 where node = 'bad'"
                .formatted(UUID.randomUUID()));
    engine().serve(pipeline); // finds a step that has used up its budget, whoever had it
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.HALTED);
    assertThat(client.quarantine().list(10)).hasSize(1);
    client.operator("eve").revive(run.id(), "mended", Revive.only("bad"));
    assertThat(run.await(PATIENCE)).isEqualTo(19);
    assertThat(client.quarantine().list(10)).isEmpty();
  }

  @Test
  default void onlyAStoppedRunCanBeRevived() throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "busy",
            (text, ctx) -> {
              go.await();
              if (text.equals("bad")) {
                throw new IOException("jammed");
              }
              return text;
            },
            step -> step.retry(Retry.fixed(Duration.ZERO).limit(0)));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    Run<String> bad = standpipe.start(pipeline, "bad");
    Operator eve = standpipe.operator("eve");
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> eve.revive(run.id(), "why not"))
        .withMessageContaining("is running: only a run that has ended halted, failed or canceled")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_REVIVABLE));
    go.countDown();
    run.await(PATIENCE);
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> eve.revive(run.id(), "why not"))
        .withMessageContaining("is succeeded");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> bad.await(PATIENCE));
    assertThatExceptionOfType(NotRevivableException.class)
        .isThrownBy(() -> eve.revive(bad.id(), "why not", Revive.only("other")))
        .withMessageContaining("for node \"other\" only: its failed steps are those of [work]");
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> eve.revive(UUID.randomUUID(), "nobody"));
    assertThat(engine().query("select count(*) from standpipe_audit")).containsExactly("0");
    assertThat(bad.status()).isEqualTo(RunStatus.HALTED);
  }
}
