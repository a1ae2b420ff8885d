package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.spi.Event;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

/** What listeners hear. */
public interface ListenerContract extends EnginePart {
  @Test
  default void aListenerHearsTheWholeLifeOfARun() throws InterruptedException {
    Pipeline<String, String> pipeline =
        single(
            "heard",
            (text, ctx) -> {
              if (ctx.attempt() == 1) {
                throw new IllegalStateException("once");
              }
              return text;
            },
            step -> step.retry(RetryContract.QUICK));
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    Run<String> run = standpipe.start(pipeline, "");
    run.await(PATIENCE);
    await().atMost(PATIENCE).until(() -> heard.namesOf(run.id()).contains("run_finished"));
    assertThat(heard.namesOf(run.id()))
        .containsExactly(
            "lease_acquired",
            "execution_started",
            "execution_failed",
            "retry_scheduled",
            "lease_acquired",
            "execution_started",
            "execution_succeeded",
            "run_finished");
    Event.ExecutionFailed failed = heard.all(Event.ExecutionFailed.class).get(0);
    assertThat(failed.terminal()).isFalse();
    assertThat(failed.error().message()).isEqualTo("once");
    assertThat(failed.step()).isEqualTo(new Event.Step(run.id(), "work", 0, 1, 1));
    assertThat(heard.all(Event.ExecutionSucceeded.class).get(0).step())
        .isEqualTo(new Event.Step(run.id(), "work", 0, 2, 2));
    assertThat(heard.all(Event.RunFinished.class))
        .containsExactly(new Event.RunFinished(run.id(), "heard", RunStatus.SUCCEEDED));
    standpipe.close();
    assertThat(heard.all().get(0).name()).isEqualTo("process_started");
    assertThat(heard.all().get(heard.all().size() - 1).name()).isEqualTo("process_stopped");
  }

  @Test
  default void aListenerHearsOfAHalt() {
    Pipeline<String, String> pipeline =
        single(
            "heard",
            (text, ctx) -> {
              throw new IllegalStateException("broken");
            },
            step -> step.retry(Retry.never()));
    Heard heard = new Heard();
    Run<String> run =
        engine().start(engine().process(pipeline).listener(heard)).start(pipeline, "");
    Assertions.assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE));
    await().atMost(PATIENCE).until(() -> heard.namesOf(run.id()).contains("run_finished"));
    assertThat(heard.namesOf(run.id()))
        .containsExactly("lease_acquired", "execution_started", "execution_failed", "run_finished");
    assertThat(heard.all(Event.ExecutionFailed.class).get(0).terminal()).isTrue();
    assertThat(heard.all(Event.RunFinished.class))
        .containsExactly(new Event.RunFinished(run.id(), "heard", RunStatus.HALTED));
  }

  @Test
  default void aListenerThatThrowsHarmsNothing() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "unheard",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("a", String.class, text -> text + "a")
                    .step("b", String.class, text -> text + "b")
                    .expand("c", String.class, text -> List.of(text, text))
                    .collapse("d", String.class, list -> String.join("|", list)));
    AtomicInteger calls = new AtomicInteger();
    Heard heard = new Heard();
    Standpipe standpipe =
        engine()
            .start(
                engine()
                    .process(pipeline)
                    .listener(
                        event -> {
                          if (calls.incrementAndGet() % 2 == 0) {
                            throw new IllegalStateException("a bad listener");
                          }
                          throw new AssertionError("a worse listener");
                        })
                    .listener(heard));
    List<Run<String>> runs = standpipe.startAll(pipeline, Collections.nCopies(20, "-"));
    assertThat(EngineFixture.await(runs)).isEqualTo(Collections.nCopies(20, "-ab|-ab"));
    assertThat(standpipe.start(pipeline, "*").await(PATIENCE)).isEqualTo("*ab|*ab");
    await().atMost(PATIENCE).until(() -> heard.all(Event.RunFinished.class).size() == 21);
    int told = heard.all().size();
    await().atMost(PATIENCE).until(() -> calls.get() >= told); // on a thread of its own
    assertThat(heard.all(Event.StaleWriteBlocked.class)).isEmpty();
  }
}
