package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Each;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A step that fails for good, and what that does to its run and to others. */
public interface FailureContract extends EnginePart {
  @Test
  default void aHaltLetsARunningSiblingFinish() throws InterruptedException {
    CountDownLatch siblingRuns = new CountDownLatch(1);
    CountDownLatch halted = new CountDownLatch(1);
    AtomicInteger successors = new AtomicInteger();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "halting",
            String.class,
            String.class,
            flow -> {
              flow.input()
                  .step(
                      "fails",
                      String.class,
                      text -> {
                        siblingRuns.await();
                        throw new IllegalStateException("broken");
                      })
                  .retry(Retry.never());
              return flow.input()
                  .step(
                      "sibling",
                      String.class,
                      text -> {
                        siblingRuns.countDown();
                        halted.await();
                        return "drained";
                      })
                  .step("successor", String.class, text -> text + successors.incrementAndGet());
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "");
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.HALTING);
    halted.countDown();

    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("\"fails\"");
    assertThat(run.steps())
        .extracting(StepInfo::node, StepInfo::state)
        .map(tuple -> tuple.toList().toString())
        .containsExactly("[fails, FAILED]", "[sibling, SUCCEEDED]");
    assertThat(successors).hasValue(0);
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
  }

  @Test
  default void aHaltClearsReadyAndScheduledTasks() {
    CountDownLatch mayFail = new CountDownLatch(1);
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "clearing",
            Integer.class,
            Integer.class,
            flow -> {
              Each<Integer> each =
                  flow.input()
                      .expand("items", Integer.class, n -> IntStream.range(0, n).boxed().toList());
              each.step(
                      "retried",
                      Integer.class,
                      n -> {
                        bodies.incrementAndGet();
                        throw new IllegalStateException("later");
                      })
                  .retry(Retry.fixed(Duration.ofHours(1)));
              return flow.input()
                  .step(
                      "fails",
                      Integer.class,
                      n -> {
                        mayFail.await();
                        throw new IllegalStateException("now");
                      })
                  .retry(Retry.never());
            });
    Run<Integer> run =
        engine().start(engine().process(pipeline).concurrency(4)).start(pipeline, 30);
    await()
        .atMost(PATIENCE)
        .until(() -> run.steps().stream().anyMatch(step -> step.state() == StepState.SCHEDULED));
    mayFail.countDown();

    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    assertThat(run.status()).isEqualTo(RunStatus.HALTED);
    assertThat(run.steps())
        .extracting(StepInfo::state)
        .doesNotContain(StepState.READY, StepState.SCHEDULED, StepState.LEASED);
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(bodies.get()).isBetween(1, 30);
  }

  @Test
  default void manyFailuresHaltTheirRunOnce() {
    Heard heard = new Heard();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "all-fail",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("items", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .step(
                        "fails",
                        Integer.class,
                        (n, ctx) -> {
                          throw new IllegalStateException("element " + n);
                        })
                    .retry(Retry.never())
                    .collapse("end", Integer.class, List::size));
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    for (int i = 0; i < 10; i++) {
      Run<Integer> run = standpipe.start(pipeline, 50);
      assertThatExceptionOfType(RunFailedException.class)
          .isThrownBy(() -> run.await(PATIENCE))
          .withMessageContaining("element ");
      await().atMost(PATIENCE).until(() -> heard.namesOf(run.id()).contains("run_finished"));
      assertThat(heard.namesOf(run.id())).containsOnlyOnce("run_finished");
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThat(engine().query("select count(*) from standpipe_task"))
                    .containsExactly("0"));
  }

  @Test
  default void aHaltedRunLeavesItsNeighboursAlone() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "every-third",
            Integer.class,
            Integer.class,
            flow -> {
              Node<Integer> first =
                  flow.input()
                      .step(
                          "first",
                          Integer.class,
                          n -> {
                            if (n % 3 == 0) {
                              throw new IllegalArgumentException(n + " is divisible by 3");
                            }
                            return n;
                          })
                      .retry(Retry.never());
              return first.step("second", Integer.class, n -> n + 1);
            });
    List<Run<Integer>> runs =
        engine().serve(pipeline).startAll(pipeline, IntStream.range(0, 300).boxed().toList());
    for (int i = 0; i < runs.size(); i++) {
      Run<Integer> run = runs.get(i);
      if (i % 3 == 0) {
        assertThatExceptionOfType(RunFailedException.class)
            .isThrownBy(() -> run.await(PATIENCE))
            .withMessageContaining(i + " is divisible by 3");
      } else {
        assertThat(run.await(PATIENCE)).isEqualTo(i + 1);
      }
    }
  }

  @Test
  default void errorsCountAsFailures() {
    Pipeline<String, String> deep =
        single("deep", (text, ctx) -> overflow(text), step -> step.retry(Retry.never()));
    Pipeline<String, String> wrong =
        single(
            "wrong",
            (text, ctx) -> {
              throw new AssertionError(text);
            },
            step -> step.retry(Retry.never()));
    Standpipe standpipe = engine().serve(deep, wrong);
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> standpipe.start(deep, "").await(PATIENCE))
        .withMessageContaining("StackOverflowError");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> standpipe.start(wrong, "2 + 2 = 5").await(PATIENCE))
        .withMessageContaining("java.lang.AssertionError: 2 + 2 = 5");
  }

  @SuppressWarnings("InfiniteRecursion")
  private static String overflow(String text) {
    return overflow(text + ".") + ".";
  }

  @Test
  default void anExceptionWithABrokenMessageFailsItsStep() throws InterruptedException {
    Pipeline<String, String> nasty =
        single(
            "nasty",
            (text, ctx) -> {
              throw new Nasty();
            },
            step -> step.retry(Retry.never()));
    Pipeline<String, String> nice = single("nice", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(nasty, nice);
    Run<String> bad = standpipe.start(nasty, "");
    Run<String> good = standpipe.start(nice, "fine");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> bad.await(PATIENCE))
        .withMessageContaining("Nasty");
    assertThat(good.await(PATIENCE)).isEqualTo("fine");
  }

  /** Throws when it is asked what happened. */
  final class Nasty extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("not telling");
    }
  }

  @Test
  default void aDatabaseErrorInsideABodyIsTheBodysFailure() {
    Valve valve = Valve.before(emptyDatabase());
    Pipeline<String, String> child = single("child", (text, ctx) -> text);
    Standpipe elsewhere =
        engine().start(Standpipe.on(valve.dataSource()).outageTolerance(Duration.ZERO));
    elsewhere.start(child, "works");
    valve.cut();
    Pipeline<String, String> parent =
        single(
            "parent",
            (text, ctx) -> elsewhere.start(child, text).id().toString(),
            step -> step.retry(RetryContract.QUICK.limit(2)));
    Run<String> run = engine().serve(parent).start(parent, "does not");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("attempt 3")
        .withMessageContaining("The connection is cut");
    valve.open();
  }

  @Test
  default void anyErrorMessageIsStored() {
    Pipeline<String, String> strange =
        single(
            "strange",
            (text, ctx) -> {
              throw new IllegalStateException("nul \0 half \ud83d " + "x".repeat(1_000_000));
            },
            step -> step.retry(Retry.never()));
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> engine().serve(strange).start(strange, "").await(PATIENCE))
        .withMessageContaining("nul \ufffd half \ufffd xxx");
  }
}
