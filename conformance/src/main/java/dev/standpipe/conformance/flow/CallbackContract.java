package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunEnd;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepFunction;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.RunLinks.EndCallbackRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What users see of callbacks, through the API. */
public interface CallbackContract extends EnginePart {
  Retry NEVER = Retry.fixed(Duration.ZERO).limit(0);

  /** A pipeline of one step that tells of each of its ends, in words. */
  private static Pipeline<String, String> telling(
      ConcurrentLinkedQueue<String> told, StepFunction<String, String> body) {
    return Pipeline.define(
        "telling",
        String.class,
        String.class,
        flow -> {
          flow.onSuccess(end -> told.add("success " + words(end)));
          flow.onFailure(end -> told.add("failure " + words(end)));
          flow.onHalt(end -> told.add("halt " + words(end)));
          flow.onComplete((end, ctx) -> told.add("complete " + words(end)));
          return flow.input().step("work", String.class, body).retry(NEVER);
        });
  }

  private static String words(RunEnd end) {
    return end.status()
        + " "
        + end.input(String.class).orElse("-")
        + " "
        + end.output(String.class).orElse("-")
        + end.haltNode().map(node -> " at " + node).orElse("")
        + end.haltReason().map(reason -> " because " + reason).orElse("");
  }

  private static void awaitTold(ConcurrentLinkedQueue<String> told, String... words) {
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(told).containsExactlyInAnyOrder(words));
  }

  private void awaitQuiet() {
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
  default void aRunThatSucceedsCallsBackOnce() throws InterruptedException {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline = telling(told, text -> text + "!");
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x!");
    awaitTold(told, "success SUCCEEDED x x!", "complete SUCCEEDED x x!");
    awaitQuiet();
    assertThat(run.info().links().endCallbacks())
        .extracting(EndCallbackRun::endCallback)
        .containsExactlyInAnyOrder(EndCallback.ON_SUCCESS, EndCallback.ON_COMPLETE);
  }

  /** As a failover leaves them that loses the runs, and not their marks. */
  @Test
  default void lostRunsDoNotBlockTheCallbacksOfOthers() throws InterruptedException {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline = telling(told, text -> text + "!");
    engine().client();
    for (int i = 0; i < 110; i++) {
      engine()
          .execute(
              "insert into standpipe_ended (run_id) values ('%s')".formatted(UUID.randomUUID()));
    }
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x!");
    awaitTold(told, "success SUCCEEDED x x!", "complete SUCCEEDED x x!");
    assertThat(engine().query("select count(*) from standpipe_ended")).containsExactly("110");
  }

  @Test
  default void aRunThatHaltsCallsBackWithTheReason() {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        telling(
            told,
            text -> {
              throw new IOException("jammed");
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    String words = " HALTED x - at work because " + HaltReason.RETRIES_EXHAUSTED;
    awaitTold(told, "failure" + words, "halt" + words, "complete" + words);
    awaitQuiet();
  }

  @Test
  default void aCanceledRunCallsBackAsComplete() {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline = telling(told, text -> text);
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "x", RunOptions.none().delay(Duration.ofHours(1)));
    assertThat(client.operator("ann").cancel(run.id(), "a mistake")).isEqualTo(RunStatus.CANCELED);
    assertThat(engine().query("select count(*) from standpipe_ended")).containsExactly("1");
    engine().serve(pipeline);
    awaitTold(told, "complete CANCELED x - because CANCELED");
    awaitQuiet();
  }

  @Test
  default void aFailingCallbackIsRetriedAndLeavesItsRunAlone() throws Exception {
    ConcurrentLinkedQueue<Integer> tries = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "unlucky",
            String.class,
            String.class,
            flow -> {
              flow.onSuccess(
                      (end, ctx) -> {
                        tries.add(ctx.attempt());
                        throw new IOException("the mail server is down");
                      })
                  .retry(Retry.fixed(Duration.ZERO).limit(2));
              return flow.input().step("work", String.class, text -> text);
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    await().atMost(PATIENCE).until(() -> !run.info().links().endCallbacks().isEmpty());
    EndCallbackRun endCallback = run.info().links().endCallbacks().get(0);
    Run<Object> callback = standpipe.run(endCallback.run());
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> callback.await(PATIENCE))
        .withMessageContaining("unlucky$onSuccess")
        .withMessageContaining("the mail server is down");
    assertThat(tries).containsExactly(1, 2, 3);
    assertThat(callback.info().links().endCallbackOf())
        .contains(new EndCallbackRun(EndCallback.ON_SUCCESS, run.id()));
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.result()).isEqualTo(Optional.of("x"));
  }

  @Test
  default void aRevivedRunCallsBackAgain() throws InterruptedException {
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<String, String> pipeline =
        telling(
            told,
            text -> {
              if (broken.get()) {
                throw new IOException("jammed");
              }
              return text;
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    await().atMost(PATIENCE).until(() -> told.size() == 3);
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    await().atMost(PATIENCE).until(() -> told.size() == 5);
    assertThat(told).contains("success SUCCEEDED x x", "complete SUCCEEDED x x");
    awaitQuiet();
    assertThat(run.info().links().endCallbacks()).hasSize(5);
  }

  @Test
  default void manyProcessesCallBackOnceForEachRun() throws InterruptedException {
    int runs = 100;
    ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline = telling(told, text -> text);
    Standpipe standpipe = engine().serve(pipeline);
    engine().serve(pipeline);
    engine().serve(pipeline);
    List<String> inputs = IntStream.range(0, runs).mapToObj(String::valueOf).toList();
    EngineFixture.await(standpipe.startAll(pipeline, inputs));
    await().atMost(PATIENCE).until(() -> told.size() >= 2 * runs);
    awaitQuiet();
    assertThat(told).hasSize(2 * runs).doesNotHaveDuplicates();
    new Audit(engine().source(), List.of()).assertHistoriesAgree();
  }

  @Test
  default void aCallbackThatRunsTooLongIsInterrupted() {
    CountDownLatch never = new CountDownLatch(1);
    ConcurrentLinkedQueue<Integer> tries = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "slow",
            String.class,
            String.class,
            flow -> {
              flow.onComplete(
                      (end, ctx) -> {
                        tries.add(ctx.attempt());
                        if (ctx.attempt() == 1) {
                          never.await();
                        }
                      })
                  .timeout(Duration.ofMillis(200))
                  .retry(Retry.fixed(Duration.ZERO).limit(1));
              return flow.input().step("work", String.class, text -> text);
            });
    engine().serve(pipeline).start(pipeline, "x");
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(tries).containsExactly(1, 2));
    awaitQuiet();
  }
}
