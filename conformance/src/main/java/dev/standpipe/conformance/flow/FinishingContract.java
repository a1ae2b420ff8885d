package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.engine.RetryContract;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Runs that a body ends early, through the API. */
public interface FinishingContract extends EnginePart {
  @Test
  default void anEarlyEndSetsTheResultAndDropsTheRest() throws InterruptedException {
    CountDownLatch siblingRuns = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    AtomicInteger after = new AtomicInteger();
    Pipeline<String, Integer> search =
        Pipeline.define(
            "search",
            String.class,
            Integer.class,
            flow -> {
              Node<Integer> slow =
                  flow.input()
                      .step(
                          "slow",
                          Integer.class,
                          text -> {
                            siblingRuns.countDown();
                            try {
                              new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                              interrupted.set(true);
                              throw e;
                            }
                            return 1;
                          });
              Node<Integer> quick =
                  flow.input()
                      .step(
                          "quick",
                          Integer.class,
                          (text, ctx) -> {
                            siblingRuns.await();
                            ctx.finishRun(42);
                            return 7;
                          });
              return Node.join(slow, quick)
                  .step("sum", Integer.class, (a, b) -> a + b + after.incrementAndGet());
            });
    Heard heard = new Heard();
    Run<Integer> run = engine().start(engine().process(search).listener(heard)).start(search, "x");
    assertThat(run.await(PATIENCE)).isEqualTo(42);
    assertThat(run.result()).contains(42);
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.info().haltNode()).contains("quick");
    assertThat(run.steps())
        .extracting(StepInfo::node, StepInfo::state)
        .containsExactly(tuple("quick", StepState.SUCCEEDED));
    await().atMost(PATIENCE).untilTrue(interrupted);
    assertThat(after).hasValue(0);
    assertThat(engine().query("select value from standpipe_result where node = 'quick'"))
        .containsExactly("7");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    await().atMost(PATIENCE).until(() -> heard.namesOf(run.id()).contains("run_finished"));
    assertThat(heard.namesOf(run.id())).containsOnlyOnce("run_finished");
  }

  @Test
  default void anEarlyEndInterruptsABodyInAnotherProcess() throws InterruptedException {
    CountDownLatch bothRun = new CountDownLatch(2);
    AtomicBoolean interrupted = new AtomicBoolean();
    Pipeline<String, String> pair =
        Pipeline.define(
            "pair",
            String.class,
            String.class,
            flow -> {
              Node<String> waits =
                  flow.input().step("waits", String.class, text -> waits(bothRun, interrupted));
              Node<String> ends =
                  flow.input()
                      .step(
                          "ends",
                          String.class,
                          (text, ctx) -> {
                            bothRun.countDown();
                            bothRun.await();
                            ctx.finishRun("ended");
                            return text;
                          });
              return Node.join(waits, ends).step("both", String.class, (a, b) -> a + b);
            });
    engine().start(engine().process(pair).concurrency(1));
    engine().start(engine().process(pair).concurrency(1));
    assertThat(engine().client().start(pair, "").await(PATIENCE)).isEqualTo("ended");
    await().atMost(PATIENCE).untilTrue(interrupted);
  }

  private static String waits(CountDownLatch bothRun, AtomicBoolean interrupted)
      throws InterruptedException {
    bothRun.countDown();
    try {
      new CountDownLatch(1).await();
      return "never";
    } catch (InterruptedException e) {
      interrupted.set(true);
      throw e;
    }
  }

  @Test
  default void aThrowingBodyDoesNotEndItsRunEarly() throws InterruptedException {
    Pipeline<String, String> pipeline =
        single(
            "changes-its-mind",
            (text, ctx) -> {
              if (ctx.attempt() == 1) {
                ctx.finishRun("too early");
                throw new IOException("oh");
              }
              return "in time";
            },
            step -> step.retry(RetryContract.QUICK));
    assertThat(engine().serve(pipeline).start(pipeline, "").await(PATIENCE)).isEqualTo("in time");
  }

  @Test
  default void anElementMayEndItsRunEarly() throws InterruptedException {
    Pipeline<Integer, Integer> first =
        Pipeline.define(
            "first-divisor",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand(
                        "candidates", Integer.class, n -> IntStream.range(2, n).boxed().toList())
                    .step(
                        "divides",
                        Integer.class,
                        (n, ctx) -> {
                          if (91 % n == 0) {
                            ctx.finishRun(n);
                          }
                          return n;
                        })
                    .collapse("none", Integer.class, all -> 0));
    var standpipe = engine().serve(first);
    assertThat(standpipe.start(first, 91).await(PATIENCE)).isIn(7, 13);
    assertThat(standpipe.start(first, 5).await(PATIENCE)).isZero();
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void anEarlyResultOfTheWrongTypeIsRefused() {
    Pipeline<String, List<Integer>> pipeline =
        Pipeline.define(
            "wrong-type",
            TypeToken.of(String.class),
            new TypeToken<List<Integer>>() {},
            flow ->
                flow.input()
                    .step(
                        "work",
                        new TypeToken<List<Integer>>() {},
                        (text, ctx) -> {
                          ctx.finishRun(text.equals("text") ? "no list" : List.of("no number"));
                          return List.of();
                        }));
    Standpipe standpipe = engine().serve(pipeline);
    Run<List<Integer>> text = standpipe.start(pipeline, "text");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> text.await(PATIENCE))
        .withMessageContaining("finishRun was given a java.lang.String")
        .withMessageContaining("results in a java.util.List<java.lang.Integer>");
    assertThat(text.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    Run<List<Integer>> list = standpipe.start(pipeline, "list");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> list.await(PATIENCE))
        .withMessageContaining("cannot be written as JSON");
    assertThat(engine().query("select count(*) from standpipe_finish")).containsExactly("0");
  }

  private static void awaitStubbornly(CountDownLatch latch) {
    boolean gone = false;
    while (!gone) {
      try {
        latch.await();
        gone = true;
      } catch (InterruptedException e) {
        gone = latch.getCount() == 0;
      }
    }
  }

  @Test
  default void aFinishingRunCannotBeCanceled() throws InterruptedException {
    CountDownLatch stubborn = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "stubborn",
            String.class,
            String.class,
            flow -> {
              Node<String> holds =
                  flow.input()
                      .step(
                          "holds",
                          String.class,
                          text -> {
                            stubborn.countDown();
                            awaitStubbornly(goOn);
                            return text;
                          });
              Node<String> ends =
                  flow.input()
                      .step(
                          "ends",
                          String.class,
                          (text, ctx) -> {
                            stubborn.await();
                            ctx.finishRun("early");
                            return text;
                          });
              return Node.join(holds, ends).step("both", String.class, (a, b) -> a + b);
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "");
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.FINISHING);
    assertThatExceptionOfType(RunEndedException.class)
        .isThrownBy(() -> standpipe.operator("ann").cancel(run.id(), "too late"))
        .withMessageContaining("is finishing");
    goOn.countDown();
    assertThat(run.await(PATIENCE)).isEqualTo("early");
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  @Test
  default void aRetriedStreamMayEndTheRunEarly() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "read-again",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expandStream(
                        "numbers",
                        Integer.class,
                        (text, ctx) -> {
                          if (ctx.attempt() > 1) {
                            ctx.finishRun("early");
                          }
                          return Stream.of(1, 2, 3).map(n -> atMost(2, n));
                        })
                    .window(1)
                    .retry(Retry.fixed(Duration.ZERO).limit(1))
                    .step("same", Integer.class, n -> n)
                    .collapse("all", String.class, Object::toString));
    Run<String> run = engine().serve(pipeline).start(pipeline, "");
    assertThat(run.await(PATIENCE)).isEqualTo("early");
    assertThat(numbers()).containsExactly("-1|1|1", "0|3|1");
  }

  private static int atMost(int most, int n) {
    if (n > most) {
      throw new IllegalStateException("no more of them");
    }
    return n;
  }

  private List<String> numbers() {
    return engine()
        .query(
            "select idx, outcome, value from standpipe_result where node = 'numbers' order by idx");
  }

  @Test
  default void aStreamMayEndTheRunWhileItIsRead() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "ends-while-read",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .expandStream(
                        "numbers",
                        Integer.class,
                        (text, ctx) -> Stream.iterate(1, n -> n + 1).peek(n -> finishAt(2, n, ctx)))
                    .window(1)
                    .step("same", Integer.class, n -> n)
                    .collapse("all", String.class, Object::toString));
    Run<String> run = engine().serve(pipeline).start(pipeline, "");
    assertThat(run.await(PATIENCE)).isEqualTo("early");
    assertThat(numbers()).containsExactly("-1|1|1", "0|3|1");
  }

  private static void finishAt(int last, int n, StepContext ctx) {
    if (n == last) {
      ctx.finishRun("early");
    }
  }

  @Test
  default void anUnwritableEarlyResultFailsTheStep() {
    Pipeline<String, String> pipeline =
        single(
            "unwritable",
            (text, ctx) -> {
              ctx.finishRun("nul \0");
              return text;
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
  }
}
