package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tries that fail, and what follows from it. */
public interface RetryContract extends EnginePart {
  /** Quick, so that tests are. */
  Retry QUICK = Retry.fixed(Duration.ofMillis(10));

  @Test
  default void aStepSucceedsOnItsThirdAttempt() throws InterruptedException {
    List<String> keys = Collections.synchronizedList(new ArrayList<>());
    List<Long> tokens = Collections.synchronizedList(new ArrayList<>());
    Pipeline<String, String> flaky =
        single(
            "flaky",
            (text, ctx) -> {
              keys.add(ctx.idempotencyKey());
              tokens.add(ctx.token());
              if (ctx.attempt() < 3) {
                throw new IOException("try " + ctx.attempt() + " of " + text);
              }
              return text + " at last";
            },
            step -> step.retry(QUICK));
    Run<String> run = engine().serve(flaky).start(flaky, "done");

    assertThat(run.await(PATIENCE)).isEqualTo("done at last");
    List<AttemptInfo> attempts = run.attempts();
    assertThat(attempts)
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.FAILED, AttemptOutcome.FAILED, AttemptOutcome.SUCCEEDED);
    assertThat(attempts).extracting(AttemptInfo::attempt).containsExactly(1, 2, 3);
    assertThat(attempts)
        .extracting(AttemptInfo::token)
        .containsExactlyElementsOf(tokens)
        .doesNotHaveDuplicates()
        .isSorted();
    assertThat(attempts).allMatch(attempt -> attempt.node().equals("work") && attempt.index() == 0);
    assertThat(attempts.get(0).error().orElseThrow().type()).isEqualTo("java.io.IOException");
    assertThat(attempts.get(1).error().orElseThrow().message()).isEqualTo("try 2 of done");
    assertThat(attempts.get(1).error().orElseThrow().trace()).contains("RetryContract");
    assertThat(attempts.get(2).error()).isEmpty();
    assertThat(keys).hasSize(3).containsOnly(run.id() + "/work/0");
  }

  @Test
  default void exhaustedRetriesHaltTheRunAndAwaitSaysWhy() {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> hopeless =
        single(
            "hopeless",
            (text, ctx) -> {
              throw new IllegalStateException("no " + text + " for try " + tries.incrementAndGet());
            },
            step -> step.retry(QUICK.limit(2)));
    Run<String> run = engine().serve(hopeless).start(hopeless, "luck");

    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .satisfies(
            e -> {
              assertThat(e.run()).isEqualTo(run.id());
              assertThat(e.status()).isEqualTo(RunStatus.HALTED);
              assertThat(e.attempt().orElseThrow().attempt()).isEqualTo(3);
            })
        .withMessageContaining("\"hopeless\"")
        .withMessageContaining("step \"work\"")
        .withMessageContaining("attempt 3")
        .withMessageContaining("java.lang.IllegalStateException: no luck for try 3");
    assertThat(run.info().haltReason()).contains(HaltReason.RETRIES_EXHAUSTED);
    assertThat(run.info().haltNode()).contains("work");
    assertThat(run.info().finishedAt()).isPresent();
    assertThat(run.result()).isEmpty();
    assertThat(tries).hasValue(3);
    assertThat(run.attempts()).hasSize(3);
  }

  @Test
  default void aRejectedFailureIsNotRetried() {
    Pipeline<String, String> picky =
        single(
            "picky",
            (text, ctx) -> {
              if (ctx.attempt() == 1) {
                throw new IOException("again");
              }
              throw new IllegalArgumentException("never");
            },
            step -> step.retry(QUICK.limit(100).giveUpOn(IllegalArgumentException.class)));
    Pipeline<String, String> once =
        single(
            "once",
            (text, ctx) -> {
              throw new IOException("once");
            },
            step -> step.retry(Retry.never()));
    var standpipe = engine().serve(picky, once);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> standpipe.start(picky, "").await(PATIENCE))
        .withMessageContaining("attempt 2");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> standpipe.start(once, "").await(PATIENCE))
        .withMessageContaining("attempt 1");
  }

  @Test
  default void aTimeoutInterruptsTheBodyAndCountsAsAnAttempt() throws InterruptedException {
    AtomicBoolean interrupted = new AtomicBoolean();
    Pipeline<String, String> slow =
        single(
            "slow",
            (text, ctx) -> {
              if (ctx.attempt() > 1) {
                return text;
              }
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.set(true);
                throw e;
              }
              return "never";
            },
            step -> step.timeout(Duration.ofMillis(300)).retry(QUICK));
    Run<String> run = engine().serve(slow).start(slow, "in time");
    assertThat(run.await(PATIENCE)).isEqualTo("in time");
    await().atMost(PATIENCE).untilTrue(interrupted);
    assertThat(run.attempts()) // on a machine that stalls, the next may take too long as well
        .extracting(AttemptInfo::outcome)
        .startsWith(AttemptOutcome.TIMED_OUT)
        .endsWith(AttemptOutcome.SUCCEEDED)
        .containsOnly(AttemptOutcome.TIMED_OUT, AttemptOutcome.SUCCEEDED);
    assertThat(run.attempts())
        .extracting(AttemptInfo::attempt)
        .isEqualTo(IntStream.rangeClosed(1, run.attempts().size()).boxed().toList());
    assertThat(run.attempts().get(0).error().orElseThrow().type())
        .isEqualTo(TimeoutException.class.getName());
    assertThat(run.attempts().get(0).error().orElseThrow().message()).contains("0.3S");
  }

  @Test
  default void timeoutsUseUpTheRetries() {
    Pipeline<String, String> stuck =
        single(
            "always-too-slow",
            (text, ctx) -> {
              new CountDownLatch(1).await();
              return text;
            },
            step ->
                step.timeout(Duration.ofMillis(200)).retry(Retry.fixed(Duration.ZERO).limit(1)));
    Run<String> run = engine().serve(stuck).start(stuck, "");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("failed on attempt 2")
        .withMessageContaining("time-out of PT0.2S");
    assertThat(run.info().haltReason()).contains(HaltReason.RETRIES_EXHAUSTED);
    assertThat(run.attempts())
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.TIMED_OUT, AttemptOutcome.TIMED_OUT);
  }

  @Test
  default void aResultAfterTheTimeoutIsDropped() throws InterruptedException {
    CountDownLatch secondIsThrough = new CountDownLatch(1);
    CountDownLatch firstIsThrough = new CountDownLatch(1);
    Pipeline<String, String> late =
        single(
            "late",
            (text, ctx) -> {
              if (ctx.attempt() == 1) {
                awaitUninterruptibly(secondIsThrough);
                firstIsThrough.countDown();
                return "late";
              }
              return "in time";
            },
            step -> step.timeout(Duration.ofMillis(300)).retry(QUICK));
    Run<String> run = engine().serve(late).start(late, "");
    assertThat(run.await(PATIENCE)).isEqualTo("in time");
    List<AttemptInfo> before = run.attempts();
    secondIsThrough.countDown();
    firstIsThrough.await();
    engine().close(); // commits whatever is still to be committed
    assertThat(run.attempts()).isEqualTo(before);
    assertThat(engine().query("select value from standpipe_result where node = 'work'"))
        .containsExactly("\"in time\"");
  }

  @Test
  default void aBodySeesItsTimeLeft() throws InterruptedException {
    Pipeline<String, String> timed =
        single(
            "timed",
            (text, ctx) -> ctx.timeLeft().map(Duration::toMinutes).orElse(-1L).toString(),
            step -> step.timeout(Duration.ofMinutes(10)));
    Pipeline<String, String> untimed =
        single("untimed", (text, ctx) -> Boolean.toString(ctx.timeLeft().isPresent()));
    var standpipe = engine().serve(timed, untimed);
    assertThat(standpipe.start(timed, "").await(PATIENCE)).isEqualTo("9");
    assertThat(standpipe.start(untimed, "").await(PATIENCE)).isEqualTo("false");
  }

  @Test
  default void eachElementCountsItsOwnAttempts() throws InterruptedException {
    Pipeline<Integer, Integer> elements =
        Pipeline.define(
            "elements",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("three", Integer.class, n -> List.of(n, n + 1, n + 2))
                    .step("flaky", Integer.class, RetryContract::failsAsOftenAsItsIndex)
                    .retry(QUICK)
                    .collapse("sum", Integer.class, list -> list.stream().mapToInt(i -> i).sum()));
    Run<Integer> run = engine().serve(elements).start(elements, 10);
    assertThat(run.await(PATIENCE)).isEqualTo(33);
    for (int index = 0; index < 3; index++) {
      int element = index;
      assertThat(run.attempts())
          .filteredOn(a -> a.node().equals("flaky") && a.index() == element)
          .hasSize(1 + index);
    }
  }

  private static int failsAsOftenAsItsIndex(int n, StepContext ctx) throws IOException {
    if (ctx.attempt() <= ctx.index()) {
      throw new IOException("not yet");
    }
    return n;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    boolean through = false;
    while (!through) {
      try {
        latch.await();
        through = true;
      } catch (InterruptedException e) {
        // a body that does not listen
      }
    }
  }
}
