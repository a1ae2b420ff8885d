package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.EngineStats;
import dev.standpipe.supervisor.Supervisor;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Stopping in good order. */
public interface ClosingContract extends EnginePart {
  /** Longer than a test may take: whoever waits for it to run out fails. */
  Duration LONG_LEASE = Duration.ofMinutes(10);

  @Test
  default void closeReleasesUnfinishedTasksUncounted() throws InterruptedException {
    int count = 8;
    CountDownLatch running = new CountDownLatch(count);
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<String, String> stuck =
        single(
            "handed-over",
            (text, ctx) -> {
              bodies.incrementAndGet();
              running.countDown();
              new CountDownLatch(1).await();
              return "never";
            });
    Pipeline<String, String> quick =
        single(
            "handed-over",
            (text, ctx) -> {
              bodies.incrementAndGet();
              return text + " on attempt " + ctx.attempt();
            });
    Standpipe first =
        engine()
            .start(
                engine()
                    .process(stuck)
                    .lease(LONG_LEASE)
                    .concurrency(count)
                    .grace(Duration.ofMillis(100)));
    List<Run<String>> runs =
        engine().client().startAll(stuck, Collections.nCopies(2 * count, "done"));
    running.await();
    first.close();
    assertThat(engine().query("select count(*) from standpipe_process")).containsExactly("0");
    assertThat(
            engine()
                .query("select state, max(crashes), max(attempt) from standpipe_task group by 1"))
        .containsExactly("0|0|1");
    assertThat(bodies).hasValue(count);

    engine().start(engine().process(quick).lease(LONG_LEASE));
    assertThat(EngineFixture.await(runs))
        .isEqualTo(Collections.nCopies(2 * count, "done on attempt 1"));
    assertThat(bodies).hasValue(3 * count);
    for (Run<String> run : runs) {
      assertThat(run.attempts())
          .extracting(AttemptInfo::outcome)
          .containsExactly(AttemptOutcome.SUCCEEDED);
    }
  }

  @Test
  default void closeLetsBodiesFinishWithinTheGrace() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayFinish = new CountDownLatch(1);
    AtomicInteger seconds = new AtomicInteger();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "graceful",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "first",
                        String.class,
                        text -> {
                          running.countDown();
                          mayFinish.await();
                          return "first";
                        })
                    .step(
                        "second",
                        String.class,
                        text -> {
                          seconds.incrementAndGet();
                          return text + ", second";
                        }));
    Standpipe first = engine().start(engine().process(pipeline).lease(LONG_LEASE).grace(PATIENCE));
    Run<String> run = engine().client().start(pipeline, "");
    running.await();
    CompletableFuture<Void> closed = CompletableFuture.runAsync(first::close);
    await().during(Duration.ofMillis(300)).atMost(PATIENCE).until(() -> !closed.isDone());
    mayFinish.countDown();
    closed.join();
    assertThat(run.attempts()).extracting(AttemptInfo::node).containsExactly("first");
    assertThat(seconds).hasValue(0);

    engine().serve(pipeline);
    assertThat(run.await(PATIENCE)).isEqualTo("first, second");
    assertThat(run.attempts()).hasSize(2);
  }

  @Test
  default void aBodyIgnoringItsInterruptCannotDelayTheClose() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch late = new CountDownLatch(1);
    Pipeline<String, String> deaf =
        single(
            "deaf",
            (text, ctx) -> {
              running.countDown();
              while (late.getCount() > 0) {
                LockSupport.parkNanos(1_000_000); // returns at once when interrupted
              }
              return "late";
            });
    Pipeline<String, String> quick = single("deaf", (text, ctx) -> "in time");
    Standpipe first =
        engine().start(engine().process(deaf).lease(LONG_LEASE).grace(Duration.ofMillis(50)));
    Run<String> run = engine().client().start(deaf, "");
    running.await();
    try {
      first.close();
      engine().serve(quick);
      assertThat(run.await(PATIENCE)).isEqualTo("in time");
    } finally {
      late.countDown();
    }
    assertThat(run.attempts()).hasSize(1);
  }

  @Test
  default void anIdleStandpipeClosesQuickly() {
    Pipeline<String, String> pipeline = single("idle", (text, ctx) -> text);
    Standpipe lazy =
        engine()
            .start(
                engine()
                    .process(pipeline)
                    .pollInterval(Duration.ofMinutes(1))
                    .lease(Duration.ofHours(1))
                    .grace(Duration.ofMinutes(5)));
    long before = System.nanoTime();
    lazy.close();
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
    lazy.close();
  }

  @Test
  default void aClosedStandpipeRefusesCalls() throws InterruptedException {
    Pipeline<String, String> pipeline = single("closed", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    UUID id = standpipe.start(pipeline, "").id();
    standpipe.run(id).await(PATIENCE);
    standpipe.close();
    assertClosed(() -> standpipe.start(pipeline, ""));
    assertClosed(() -> standpipe.startAll(pipeline, List.of("")));
    assertClosed(() -> standpipe.start("closed", "", RunOptions.none()));
    assertClosed(() -> standpipe.run(id));
    assertClosed(() -> standpipe.run(pipeline, id));
  }

  @Test
  default void closeWakesCallersThatAwaitARun() throws Exception {
    Pipeline<String, String> pipeline = single("waiting", (text, ctx) -> text);
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "nobody serves it");
    CompletableFuture<String> waiting =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return run.await(PATIENCE);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } catch (StandpipeException e) {
                return e.code().name();
              }
            });
    await().during(Duration.ofMillis(200)).until(() -> !waiting.isDone());
    client.close();
    await().atMost(Duration.ofSeconds(30)).until(waiting::isDone);
    assertThat(waiting.get()).isEqualTo("CLOSED");
    assertClosed(() -> run.await(PATIENCE));
  }

  private static void assertClosed(ThrowingCallable call) {
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(call)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
  }

  @Test
  default void aBuiltStandpipeTouchesNothingUntilItIsStarted() throws InterruptedException {
    Pipeline<String, String> pipeline = single("later", (text, ctx) -> text);
    List<String> hooks = new CopyOnWriteArrayList<>();
    Standpipe built =
        engine()
            .process(pipeline)
            .onStart(() -> hooks.add("start"))
            .onStop(() -> hooks.add("stop"))
            .build();
    assertThat(built.isStarted()).isFalse();
    assertThat(hooks).isEmpty();
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> built.start(pipeline, "early"))
        .withMessageContaining("call start()")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_STARTED));
    try (built) {
      assertThat(built.start()).isSameAs(built);
      assertThat(built.start().isStarted()).isTrue();
      assertThat(built.start(pipeline, "now").await(PATIENCE)).isEqualTo("now");
      assertThat(hooks).containsExactly("start");
    }
    assertThat(built.isStarted()).isFalse();
    assertThat(hooks).containsExactly("start", "stop");
    assertClosed(built::start);
    assertClosed(built::stats);
  }

  @Test
  default void closingABuiltStandpipeRunsNoHook() {
    List<String> hooks = new CopyOnWriteArrayList<>();
    Standpipe built =
        engine()
            .process()
            .onStart(() -> hooks.add("start"))
            .onStop(() -> hooks.add("stop"))
            .build();
    built.close();
    assertThat(hooks).isEmpty();
    assertClosed(built::start);
    assertClosed(built::doctor);
  }

  @Test
  default void statsTellWhatAProcessDoes() throws InterruptedException {
    CountDownLatch mayEnd = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "counted",
            (text, ctx) -> {
              mayEnd.await();
              return text;
            });
    Standpipe process = engine().start(engine().process(pipeline).concurrency(2));
    assertThat(engine().client().stats()).isEqualTo(EngineStats.ofClient(0));
    List<Run<String>> runs = process.startAll(pipeline, List.of("a", "b", "c"));
    await().atMost(PATIENCE).until(() -> process.stats().running() == 2);
    EngineStats busy = process.stats();
    assertThat(busy.concurrency()).isEqualTo(2);
    assertThat(busy.queued()).isBetween(0, 1);
    assertThat(busy.committed()).isZero();
    assertThat(busy.connected()).isTrue();
    assertThat(busy.leaseTrusted()).isTrue();
    mayEnd.countDown();
    EngineFixture.await(runs);
    await().atMost(PATIENCE).until(() -> process.stats().committed() == 3);
    EngineStats idle = process.stats();
    assertThat(List.of(idle.running(), idle.queued(), idle.uncommitted(), idle.awaited()))
        .containsOnly(0);
  }

  @Test
  default void anEndlessGraceIsAllowed() throws InterruptedException {
    Pipeline<String, String> pipeline = single("endless", (text, ctx) -> text);
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    Standpipe standpipe =
        Standpipe.on(engine().source())
            .serve(pipeline)
            .grace(longest)
            .connectTimeout(longest)
            .start();
    Run<String> run = standpipe.start(pipeline, "x");
    assertThat(run.await(longest)).isEqualTo("x");
    standpipe.close();
    assertThat(engine().query("select * from standpipe_process")).isEmpty();
  }

  @Test
  default void durationsOutOfRangeAreRefusedWithTheRange() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
    Duration shortest = Duration.ofSeconds(Long.MIN_VALUE);
    for (Duration bad : List.of(longest, shortest)) {
      List<ThrowingCallable> calls =
          List.of(
              () -> Standpipe.on(engine().source()).lease(bad),
              () -> Standpipe.on(engine().source()).pollInterval(bad),
              () -> engine().client().operator("ann").cancel(UUID.randomUUID(), "why", bad),
              () -> RunOptions.none().delay(bad),
              () -> RunOptions.none().deadline(bad),
              () -> single("late", (text, ctx) -> text, step -> step.timeout(bad)),
              () -> single("later", (text, ctx) -> text, step -> step.delay(bad)));
      calls.forEach(
          call ->
              assertThatThrownBy(call)
                  .isInstanceOfAny(StandpipeException.class, IllegalArgumentException.class)
                  .hasMessageContaining(bad.toString()));
    }
    assertThatThrownBy(() -> Standpipe.on(engine().source()).grace(shortest))
        .hasMessageContaining("zero or more");
    assertThatThrownBy(() -> Supervisor.on(engine().source()).grace(shortest))
        .hasMessageContaining("zero or more");
    assertThat(Retry.fixed(longest).delayAfter(1)).isPositive();
    assertThat(Retry.exponential(longest).cap(longest).delayAfter(9)).isPositive();
    assertThat(Retry.after(longest).delay()).isEqualTo(Duration.ofDays(36_500));
  }
}
