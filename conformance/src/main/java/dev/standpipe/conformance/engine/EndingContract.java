package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Fail;
import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bodies that say themselves how their step goes on. */
public interface EndingContract extends EnginePart {
  @Test
  default void failNowIsNotRetried() {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "fails-now",
            (text, ctx) -> {
              tries.incrementAndGet();
              throw Fail.now("no such card", new IOException("404"));
            },
            step -> step.retry(Retry.fixed(Duration.ZERO).limit(100)));
    Run<String> run = engine().serve(pipeline).start(pipeline, "");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("(failed now)")
        .withMessageContaining("failed on attempt 1 with dev.standpipe.Fail: no such card");
    assertThat(tries).hasValue(1);
    assertThat(run.info().haltReason()).contains(HaltReason.FAILED_NOW);
    assertThat(run.info().haltNode()).contains("work");
    assertThat(run.attempts()).extracting(AttemptInfo::outcome).containsOnly(AttemptOutcome.FAILED);
    assertThat(run.attempts().get(0).error().orElseThrow().trace())
        .contains("java.io.IOException: 404");
  }

  @Test
  default void aSnoozeUsesNoRetryAndKeepsTheAttemptNumber() throws InterruptedException {
    List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());
    Pipeline<String, String> pipeline =
        single(
            "snoozes",
            (text, ctx) -> {
              numbers.add(ctx.attempt());
              return switch (numbers.size()) {
                case 1, 2, 4 -> throw Retry.after(Duration.ZERO);
                case 3 -> throw new IOException("really");
                default -> text;
              };
            },
            step -> step.retry(Retry.fixed(Duration.ZERO).limit(1)));
    Run<String> run = engine().serve(pipeline).start(pipeline, "awake");
    assertThat(run.await(PATIENCE)).isEqualTo("awake");
    assertThat(numbers).containsExactly(1, 1, 1, 2, 2);
    assertThat(run.attempts())
        .extracting(AttemptInfo::outcome)
        .containsExactly(
            AttemptOutcome.SNOOZED,
            AttemptOutcome.SNOOZED,
            AttemptOutcome.FAILED,
            AttemptOutcome.SNOOZED,
            AttemptOutcome.SUCCEEDED);
    assertThat(run.attempts().get(0).error()).isEmpty();
    assertThat(run.attempts()).extracting(AttemptInfo::token).doesNotHaveDuplicates().isSorted();
  }

  @Test
  default void aSnoozeLastsAtLeastATenthOfASecond() throws InterruptedException {
    List<Long> began = new CopyOnWriteArrayList<>();
    List<Long> snoozed = new CopyOnWriteArrayList<>();
    Pipeline<String, String> pipeline =
        single(
            "cannot-spin",
            (text, ctx) -> {
              began.add(System.nanoTime());
              if (began.size() <= 3) {
                snoozed.add(System.nanoTime());
                throw Retry.after(Duration.ofSeconds(-5));
              }
              return text;
            });
    engine().serve(pipeline).start(pipeline, "").await(PATIENCE);
    assertThat(snoozed).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(Duration.ofNanos(began.get(i + 1) - snoozed.get(i)))
          .isGreaterThanOrEqualTo(Duration.ofMillis(100));
    }
  }

  @Test
  default void listenersHearOfASnooze() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "heard",
            (text, ctx) -> {
              if (tries.incrementAndGet() == 1) {
                throw Retry.after(Duration.ofMillis(200));
              }
              return text;
            });
    Heard heard = new Heard();
    engine().start(engine().process(pipeline).listener(heard)).start(pipeline, "").await(PATIENCE);
    await().atMost(PATIENCE).until(() -> !heard.all(Event.RunFinished.class).isEmpty());
    assertThat(heard.all())
        .filteredOn(event -> event.name().equals("step_snoozed"))
        .hasSize(1)
        .allMatch(event -> event.toString().contains("PT0.2S"));
    assertThat(heard.all()).noneMatch(event -> event.name().equals("execution_failed"));
  }
}
