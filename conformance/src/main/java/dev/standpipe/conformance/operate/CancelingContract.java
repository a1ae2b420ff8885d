package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.operate.Operator;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** What users see of a cancel, through the API. */
public interface CancelingContract extends EnginePart {
  /** Two steps; the first waits until it is interrupted, and then until it may go. */
  private static Pipeline<String, String> waiting(
      CountDownLatch begun, CountDownLatch interrupted, CountDownLatch mayGo, AtomicInteger after) {
    return Pipeline.define(
        "waiting",
        String.class,
        String.class,
        flow ->
            flow.input()
                .step(
                    "wait",
                    String.class,
                    (text, ctx) -> {
                      begun.countDown();
                      try {
                        EngineFixture.pause(PATIENCE);
                      } finally {
                        assertThat(ctx.isCanceled()).isTrue();
                        interrupted.countDown();
                        mayGo.await();
                      }
                      return text;
                    })
                .step(
                    "after",
                    String.class,
                    text -> {
                      after.incrementAndGet();
                      return text;
                    }));
  }

  @Test
  default void aCancelInterruptsABodyInAnotherProcess() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch mayGo = new CountDownLatch(1);
    AtomicInteger after = new AtomicInteger();
    Pipeline<String, String> pipeline = waiting(begun, interrupted, mayGo, after);
    Heard heard = new Heard();
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "x");
    engine().start(engine().process(pipeline).listener(heard));
    begun.await();
    assertThat(client.operator("ann").cancel(run.id(), "a duplicate"))
        .isEqualTo(RunStatus.CANCELING);
    interrupted.await();
    assertThat(run.status()).as("its body still runs").isEqualTo(RunStatus.CANCELING);
    mayGo.countDown();
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("ended canceled by ann: a duplicate")
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.CANCELED));
    assertThat(heard.awaitAny(Event.RunFinished.class))
        .extracting(Event.RunFinished::status)
        .containsExactly(RunStatus.CANCELED);
    assertThat(after).hasValue(0);
    assertThat(run.steps()).isEmpty();
    assertThat(run.attempts()).isEmpty();
    assertThat(client.operator("bob").cancel(run.id(), "me too")).isEqualTo(RunStatus.CANCELED);
    assertThat(run.info().cancellation().orElseThrow().by()).isEqualTo("ann");
  }

  @Test
  default void aBodyIgnoringTheInterruptCannotDelayACancel() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "stubborn",
            (text, ctx) -> {
              begun.countDown();
              boolean gone = false;
              while (!gone) {
                try {
                  go.await();
                  gone = true;
                } catch (InterruptedException e) {
                  assertThat(ctx.isCanceled()).isTrue();
                }
              }
              return text;
            });
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    Run<String> run = standpipe.start(pipeline, "x");
    begun.await();
    standpipe.operator("ann").cancel(run.id(), "hopeless", Duration.ofMillis(100));
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(heard.all(Event.StaleWriteBlocked.class)).isEmpty();
    go.countDown();
    await().atMost(PATIENCE).until(() -> !heard.all(Event.StaleWriteBlocked.class).isEmpty());
    assertThat(run.status()).isEqualTo(RunStatus.CANCELED);
    assertThat(run.steps()).isEmpty();
    assertThat(run.result()).isEmpty();
  }

  @Test
  default void aCancelEndsADelayedRunAtOnce() {
    Pipeline<String, String> pipeline = single("later", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x", RunOptions.none().delay(Duration.ofDays(1)));
    assertThat(standpipe.operator("ann").cancel(run.id(), "not needed"))
        .isEqualTo(RunStatus.CANCELED);
    assertThat(run.steps()).isEmpty();
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void anEndedRunCannotBeCanceled() throws InterruptedException {
    Pipeline<String, String> pipeline = single("done", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    run.await(PATIENCE);
    Operator ann = standpipe.operator("ann");
    assertThatExceptionOfType(RunEndedException.class)
        .isThrownBy(() -> ann.cancel(run.id(), "too late"))
        .withMessageContaining("already ended succeeded")
        .satisfies(e -> assertThat(e.status()).isEqualTo(RunStatus.SUCCEEDED))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.RUN_ENDED));
    assertThatExceptionOfType(UnknownRunException.class)
        .isThrownBy(() -> ann.cancel(UUID.randomUUID(), "nobody"));
    assertThat(engine().query("select count(*) from standpipe_audit")).containsExactly("0");
  }

  @Test
  default void aCancelChecksItsArguments() {
    Standpipe standpipe = engine().client();
    UUID run = UUID.randomUUID();
    List<ThrowingCallable> bad =
        List.of(
            () -> standpipe.operator(" ").cancel(run, "why"),
            () -> standpipe.operator("ann").cancel(run, "\t"),
            () -> standpipe.operator("ann").cancel(run, "why", Duration.ofMillis(-1)),
            () -> standpipe.operator("ann").cancel(run, "why", Duration.ofDays(2)));
    bad.forEach(
        call ->
            assertThatExceptionOfType(StandpipeException.class)
                .isThrownBy(call)
                .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT)));
  }

  @Test
  default void aCancelWithoutGraceInterruptsARemoteBody() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch mayGo = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "stubborn",
            (text, ctx) -> {
              begun.countDown();
              while (mayGo.getCount() > 0) {
                try {
                  mayGo.await();
                } catch (InterruptedException e) {
                  interrupted.countDown();
                }
              }
              return text;
            });
    Heard heard = new Heard();
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "x");
    engine().start(engine().process(pipeline).listener(heard));
    begun.await();
    assertThat(client.operator("ann").cancel(run.id(), "at once", Duration.ZERO))
        .isEqualTo(RunStatus.CANCELED);
    assertThat(interrupted.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(heard.awaitAny(Event.BodyStillRunning.class))
        .extracting(event -> event.step().run())
        .containsExactly(run.id());
    await()
        .atMost(PATIENCE)
        .until(() -> engine().query("select * from standpipe_cut_off").isEmpty());
    mayGo.countDown();
  }

  @Test
  default void aCancelDoesNotInterruptTheRevivedBody() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch again = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "revived",
            (text, ctx) -> {
              if (tries.incrementAndGet() == 1) {
                begun.countDown();
                EngineFixture.pause(PATIENCE);
              }
              again.countDown();
              go.await();
              return text;
            });
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "x");
    engine().serve(pipeline);
    begun.await();
    Operator ann = client.operator("ann");
    ann.cancel(run.id(), "at once", Duration.ZERO);
    ann.revive(run.id(), "after all");
    again.await();
    await()
        .atMost(PATIENCE)
        .until(() -> engine().query("select * from standpipe_cut_off").isEmpty());
    go.countDown();
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThat(tries).hasValue(2);
  }

  @Test
  default void cancelingRunsDoNotBlockOthersFromEnding() {
    Pipeline<String, String> pipeline = single("many", (text, ctx) -> text);
    Standpipe client = engine().client();
    engine().serve(single("owner", (text, ctx) -> text));
    List<Run<String>> runs = new ArrayList<>();
    for (int i = 0; i < 110; i++) {
      runs.add(client.start(pipeline, "x"));
    }
    String owner = engine().query("select id from standpipe_process").get(0);
    engine()
        .execute("update standpipe_task set state = 1, token = 1, owner = '%s'".formatted(owner));
    Operator ann = client.operator("ann");
    runs.forEach(run -> ann.cancel(run.id(), "slowly", Duration.ofDays(1)));
    runs.sort(Comparator.comparing(run -> run.id().toString()));
    UUID last = runs.get(runs.size() - 1).id(); // its process died when its step had ended
    engine().execute("delete from standpipe_task where run_id = '%s'".formatted(last));
    engine().start(engine().process().role(Role.MAINTENANCE).lease(EngineFixture.SHORT_LEASE));
    await().atMost(PATIENCE).until(() -> client.run(last).status() == RunStatus.CANCELED);
  }
}
