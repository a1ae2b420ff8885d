package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.AwaitTimeoutException;
import dev.standpipe.info.StepState;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Where a run is, and how it is found. */
public interface WhereaboutsContract extends EnginePart {
  /** Long enough for the database to be asked, and far too short for the run. */
  Duration SHORT = Duration.ofMillis(50);

  private static String timeout(Run<?> run) {
    return String.valueOf(
        assertThatExceptionOfType(AwaitTimeoutException.class)
            .isThrownBy(() -> run.await(SHORT))
            .actual()
            .getMessage());
  }

  @Test
  default void anAwaitTimeoutSaysThatTheRunIsUnserved() {
    Pipeline<String, String> pipeline = EngineFixture.single("unserved", (text, ctx) -> text);
    Run<String> run = engine().client().start(pipeline, "x");
    assertThat(timeout(run))
        .contains("It is running", "\"unserved\"", "Step \"work\" is ready", "No live process");
    assertThat(run).hasToString("run " + run.id() + " of unserved");
  }

  @Test
  default void anAwaitTimeoutShowsTheLastError() {
    Pipeline<String, String> pipeline =
        EngineFixture.single(
            "retrying",
            (text, ctx) -> {
              throw new IOException("no route to " + text);
            },
            step -> step.retry(Retry.fixed(Duration.ofHours(1))));
    Run<String> run = engine().serve(pipeline).start(pipeline, "the bank");
    await()
        .atMost(PATIENCE)
        .until(() -> run.pending().stream().anyMatch(step -> step.state() == StepState.SCHEDULED));
    assertThat(timeout(run))
        .contains(
            "Step \"work\" is due in 3", "attempt 2", "java.io.IOException: no route to the bank")
        .doesNotContain("No live process");
  }

  @Test
  default void anAwaitTimeoutNamesTheMissingSignal() {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "awaiting",
            String.class,
            String.class,
            flow -> flow.input().await("paid", String.class).within(Duration.ofDays(1)).orHalt());
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    await()
        .atMost(PATIENCE)
        .until(() -> run.pending().stream().anyMatch(step -> step.state() == StepState.WAITING));
    assertThat(timeout(run)).contains("Step \"paid\" waits for a signal");
  }

  @Test
  default void anAwaitTimeoutNamesTheRunningProcess() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        EngineFixture.single(
            "running",
            (text, ctx) -> {
              begun.countDown();
              open.await();
              return text;
            });
    Standpipe standpipe = engine().start(engine().process(pipeline).name("worker-7"));
    Run<String> run = standpipe.start(pipeline, "x");
    begun.await();
    assertThat(timeout(run)).contains("Step \"work\" is run by \"worker-7\"");
    open.countDown();
  }

  @Test
  default void aRunIsFoundByItsKey() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("keyed", (text, ctx) -> text + "!");
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x", RunOptions.key("order-7"));
    assertThat(run.await(PATIENCE)).isEqualTo("x!");
    assertThat(standpipe.runByKey(pipeline, "order-7").orElseThrow().result()).contains("x!");
    assertThat(standpipe.runByKey("keyed", "order-7").orElseThrow().id()).isEqualTo(run.id());
    assertThat(standpipe.runByKey("keyed", "order-8")).isEmpty();
    assertThat(standpipe.runByKey("other", "order-7")).isEmpty();
    assertThat(run.value("work", 0, String.class)).contains("x!");
    assertThat(run.value("nowhere", 0, String.class)).isEmpty();
    assertThat(run.pending()).isEmpty();
  }
}
