package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.error.AwaitTimeoutException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Waiting for runs. */
public interface AwaitContract extends EnginePart {
  /** A pipeline that ends when it is let. */
  private static Pipeline<String, String> gated(CountDownLatch gate) {
    return single(
        "gated",
        (text, ctx) -> {
          gate.await();
          return text;
        });
  }

  @Test
  default void anAwaitThatRunsOutLeavesTheRunAlone() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<String, String> pipeline = gated(gate);
    Run<String> run = engine().serve(pipeline).start(pipeline, "done");
    assertThatExceptionOfType(AwaitTimeoutException.class)
        .isThrownBy(() -> run.await(Duration.ofMillis(50)))
        .withMessageContaining(run.id().toString());
    assertThatExceptionOfType(AwaitTimeoutException.class)
        .isThrownBy(() -> run.await(Duration.ZERO));
    gate.countDown();
    assertThat(run.await(PATIENCE)).isEqualTo("done");
    assertThat(run.await(Duration.ZERO)).isEqualTo("done");
  }

  @Test
  default void anAwaitTimeoutDoesNotDisturbOtherWaiters() {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<String, String> pipeline = gated(gate);
    engine().serve(pipeline);
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "done");
    List<String> seen =
        Racers.race(
            2,
            number -> {
              if (number == 0) {
                return run.await(PATIENCE);
              }
              assertThatExceptionOfType(AwaitTimeoutException.class)
                  .isThrownBy(() -> run.await(Duration.ofMillis(300)));
              gate.countDown();
              return "gave up";
            });
    assertThat(seen).containsExactly("done", "gave up");
  }

  @Test
  default void manyCallersMayAwaitOneRun() {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<String, String> pipeline = gated(gate);
    Run<String> here = engine().serve(pipeline).start(pipeline, "done");
    Run<String> there = engine().client().run(pipeline, here.id());
    List<String> seen =
        Racers.race(
            9,
            number -> {
              if (number == 8) {
                gate.countDown();
                return "done";
              }
              return (number % 2 == 0 ? here : there).await(PATIENCE);
            });
    assertThat(seen).containsOnly("done");
  }

  @Test
  default void awaitingForEverIsAllowed() throws InterruptedException {
    Pipeline<String, String> pipeline = single("ever", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    assertThat(standpipe.start(pipeline, "a").await(ChronoUnit.FOREVER.getDuration()))
        .isEqualTo("a");
    assertThat(standpipe.start(pipeline, "b").await(Duration.ofDays(100_000))).isEqualTo("b");
  }

  @Test
  default void anInterruptedAwaitThrowsAndTheRunGoesOn() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<String, String> pipeline = gated(gate);
    Run<String> run = engine().serve(pipeline).start(pipeline, "done");
    Thread.currentThread().interrupt();
    assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(Thread.interrupted()).isFalse();
    gate.countDown();
    assertThat(run.await(PATIENCE)).isEqualTo("done");
  }
}
