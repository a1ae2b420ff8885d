package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Loop;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.StatementCount;
import dev.standpipe.error.AttemptOverException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.SubStepInfo;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What users see of sub-steps, through the API. */
public interface OnceContract extends EnginePart {
  Retry AT_ONCE = Retry.fixed(Duration.ZERO).limit(5);

  /** An invoice. */
  record Invoice(String number, List<Integer> amounts) {}

  @Test
  default void aCallIsMadeOnceHoweverOftenItsStepIsTried() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    AtomicInteger tries = new AtomicInteger();
    ConcurrentLinkedQueue<Invoice> got = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        single(
            "billed",
            (text, ctx) -> {
              Invoice invoice =
                  ctx.once(
                      "invoice",
                      Invoice.class,
                      () -> new Invoice("no " + calls.incrementAndGet(), List.of(1, 2)));
              got.add(invoice);
              ctx.once("mail", () -> calls.incrementAndGet());
              switch (tries.incrementAndGet()) {
                case 1 -> throw new IOException("after it");
                case 2 -> throw Retry.after(Duration.ZERO);
                default -> {
                  return invoice.number();
                }
              }
            },
            step -> step.retry(AT_ONCE));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("no 1");
    assertThat(got).hasSize(3).containsOnly(new Invoice("no 1", List.of(1, 2)));
    assertThat(calls).hasValue(2);
    assertThat(run.subSteps("work", 0))
        .extracting(SubStepInfo::key)
        .containsExactly("invoice", "mail");
    assertThat(run.steps()).extracting(StepInfo::subSteps).containsExactly(2);
    assertThat(run.subSteps("other", 0)).isEmpty();
  }

  /** A body may return null where its caller allows it. */
  @SuppressWarnings("NullAway")
  private static String none() {
    return null;
  }

  @Test
  default void aCallReturnsWhatTheDatabaseWouldGiveBack() throws InterruptedException {
    List<Integer> live = new ArrayList<>(List.of(3, 4));
    Pipeline<String, String> pipeline =
        single(
            "given",
            (text, ctx) -> {
              List<Integer> back = ctx.once("list", new TypeToken<List<Integer>>() {}, () -> live);
              live.clear();
              String nothing = ctx.once("nothing", String.class, OnceContract::none);
              return back + " " + nothing + " " + ctx.once("list", List.class, () -> List.of());
            });
    assertThat(engine().serve(pipeline).start(pipeline, "x").await(PATIENCE))
        .isEqualTo("[3, 4] null [3, 4]");
  }

  @Test
  default void anExceptionOfACallIsTheBodysOwn() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "thrown",
            (text, ctx) ->
                ctx.once(
                    "call",
                    String.class,
                    () -> {
                      if (calls.incrementAndGet() == 1) {
                        throw new IOException("not now");
                      }
                      return "called " + calls;
                    }),
            step -> step.retry(AT_ONCE));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("called 2");
    assertThat(run.attempts())
        .filteredOn(attempt -> attempt.error().isPresent())
        .singleElement()
        .satisfies(
            attempt ->
                assertThat(attempt.error().orElseThrow().type()).isEqualTo("java.io.IOException"));
  }

  @Test
  default void callsMayBeInsideOfEachOtherUnderOtherKeys() throws InterruptedException {
    AtomicInteger inner = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "nested",
            (text, ctx) ->
                ctx.once(
                    "outer",
                    String.class,
                    () -> {
                      String in =
                          ctx.once("inner", String.class, () -> "in" + inner.incrementAndGet());
                      assertThatIllegalStateException()
                          .isThrownBy(() -> ctx.once("outer", String.class, () -> "again"))
                          .withMessageContaining("inside of itself");
                      if (ctx.attempt() == 1) {
                        throw new IOException("after the inner one");
                      }
                      return in + " out";
                    }),
            step -> step.retry(AT_ONCE));
    assertThat(engine().serve(pipeline).start(pipeline, "x").await(PATIENCE)).isEqualTo("in1 out");
  }

  @Test
  default void threadsOfABodyShareAKey() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "parallel",
            (text, ctx) -> {
              List<CompletableFuture<Integer>> all = new ArrayList<>();
              for (int i = 0; i < 20; i++) {
                String key = "key " + i % 5;
                all.add(
                    CompletableFuture.supplyAsync(
                        () -> ctx.once(key, Integer.class, calls::incrementAndGet)));
              }
              return "" + all.stream().map(CompletableFuture::join).distinct().sorted().toList();
            });
    assertThat(engine().serve(pipeline).start(pipeline, "x").await(PATIENCE))
        .isEqualTo("[1, 2, 3, 4, 5]");
    assertThat(calls).hasValue(5);
  }

  @Test
  default void manyCallsOfManyBodiesAreWrittenTogether() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "many",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step(
                        "sum",
                        Integer.class,
                        (n, ctx) -> {
                          int sum = 0;
                          for (int i = 0; i < 300; i++) {
                            int part = i;
                            sum += ctx.once("part " + i, Integer.class, () -> part);
                          }
                          return sum;
                        }));
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<Integer>> runs = standpipe.startAll(pipeline, Collections.nCopies(20, 1));
    assertThat(EngineFixture.await(runs)).hasSize(20).containsOnly(44_850);
    assertThat(engine().query("select count(*) from standpipe_substep")).containsExactly("6000");
    assertThat(runs.get(0).subSteps("sum", 0)).hasSize(300);
  }

  @Test
  default void elementsCallbacksAndCompensationsHaveTheirOwn() {
    ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
    AtomicInteger failures = new AtomicInteger();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "each",
            String.class,
            String.class,
            flow -> {
              flow.onComplete((end, ctx) -> twice(ctx, "told", calls, failures)).retry(AT_ONCE);
              Node<String> all =
                  flow.input()
                      .expand("split", String.class, text -> List.of("a", "b"))
                      .step(
                          "part",
                          String.class,
                          (text, ctx) -> {
                            twice(ctx, text, calls, failures);
                            return text;
                          })
                      .retry(AT_ONCE)
                      .compensate((text, ctx) -> twice(ctx, "undo " + text, calls, failures))
                      .collapse("all", String.class, parts -> String.join("", parts));
              return all.step(
                      "last",
                      String.class,
                      text -> {
                        throw new IOException("no");
                      })
                  .retry(Retry.fixed(Duration.ZERO).limit(0));
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    await()
        .atMost(PATIENCE)
        .until(() -> run.status() == RunStatus.COMPENSATED && calls.contains("told"));
    assertThat(calls).containsExactlyInAnyOrder("a", "b", "undo a", "undo b", "told");
    assertThat(run.subSteps("part", 1)).hasSize(1);
  }

  /** The first try of each fails behind its call. */
  private static void twice(
      StepContext ctx, String call, ConcurrentLinkedQueue<String> calls, AtomicInteger failures)
      throws IOException {
    ctx.once("call", () -> calls.add(call));
    if (ctx.attempt() == 1) {
      throw new IOException("failure " + failures.incrementAndGet());
    }
  }

  @Test
  default void aReviveKeepsThemAndARerunOrForkStartsWithout() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    AtomicInteger calls = new AtomicInteger();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "brought-back",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "first",
                        String.class,
                        (text, ctx) ->
                            ctx.once("a", String.class, () -> text + calls.incrementAndGet()))
                    .step(
                        "second",
                        String.class,
                        (text, ctx) -> {
                          String all =
                              ctx.once("b", String.class, () -> text + calls.incrementAndGet());
                          if (broken.get()) {
                            throw new IOException("broken");
                          }
                          return all;
                        })
                    .retry(Retry.fixed(Duration.ZERO).limit(1)));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("x12");
    UUID fork = standpipe.operator("ann").fork(run.id(), "second", "what if");
    assertThat(standpipe.run(pipeline, fork).await(PATIENCE)).isEqualTo("x13");
    assertThat(standpipe.run(pipeline, fork).subSteps("first", 0)).isEmpty();
    UUID rerun = standpipe.operator("ann").rerun(run.id(), "once more");
    assertThat(standpipe.run(pipeline, rerun).await(PATIENCE)).isEqualTo("x45");
  }

  @Test
  default void aStopKeepsWhatWasCalled() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch called = new CountDownLatch(1);
    AtomicBoolean waits = new AtomicBoolean(true);
    Pipeline<String, String> pipeline =
        single(
            "stopped",
            (text, ctx) -> {
              String value = ctx.once("a", String.class, () -> "call " + calls.incrementAndGet());
              boolean stays = waits.get();
              called.countDown();
              if (stays) {
                EngineFixture.pause(PATIENCE);
              }
              return value;
            });
    Standpipe first = engine().start(engine().process(pipeline).grace(Duration.ZERO));
    Run<String> run = engine().client().start(pipeline, "x");
    called.await();
    waits.set(false);
    first.close();
    engine().serve(pipeline);
    assertThat(run.await(PATIENCE)).isEqualTo("call 1");
    assertThat(run.attempts()).hasSize(1);
  }

  /** As if another process had it by now. */
  private void takeAway() {
    engine()
        .execute(
            "update standpipe_task set token = token + 1, owner = null, state = 0 where state = 1");
  }

  @Test
  default void aTryThatHasLostItsTaskIsOver() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    CompletableFuture<AttemptOverException> over = new CompletableFuture<>();
    Pipeline<String, String> pipeline =
        single(
            "lost",
            (text, ctx) -> {
              try {
                return ctx.once(
                    "a",
                    String.class,
                    () -> {
                      if (calls.incrementAndGet() == 1) {
                        takeAway();
                      }
                      return "call " + calls;
                    });
              } catch (AttemptOverException e) {
                over.complete(e);
                assertThatExceptionOfType(AttemptOverException.class)
                    .isThrownBy(() -> ctx.once("b", String.class, () -> "never"));
                throw e;
              }
            },
            step -> step.retry(Retry.fixed(Duration.ZERO).limit(0)));
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    Run<String> run = standpipe.start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("call 2");
    assertThat(over.join()).hasMessageContaining("work/0").hasMessageContaining("taken");
    assertThat(heard.awaitAny(Event.StaleWriteBlocked.class)).isNotEmpty();
    assertThat(run.subSteps("work", 0)).extracting(SubStepInfo::key).containsExactly("a");
  }

  @Test
  default void aCanceledBodyMakesNoFurtherCall() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Throwable> end = new CompletableFuture<>();
    AtomicInteger calls = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "canceled",
            (text, ctx) -> {
              ctx.once("a", () -> calls.incrementAndGet());
              begun.countDown();
              while (!ctx.isCanceled()) {
                Thread.onSpinWait();
              }
              try {
                ctx.once("b", () -> calls.incrementAndGet());
              } catch (AttemptOverException e) {
                end.complete(e);
                throw e;
              }
              return text;
            });
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    begun.await();
    standpipe.operator("ann").cancel(run.id(), "enough");
    assertThat(end.join()).isInstanceOf(AttemptOverException.class);
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.CANCELED);
    assertThat(calls).hasValue(1);
  }

  @Test
  default void everyTurnOfALoopMakesItsOwnCalls() throws InterruptedException {
    ConcurrentLinkedQueue<String> calls = new ConcurrentLinkedQueue<>();
    AtomicInteger tries = new AtomicInteger();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "turns-with-calls",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .loop(
                        "loop",
                        Integer.class,
                        (state, ctx) -> {
                          int earlier = ctx.checkpoint(Integer.class).orElse(-1);
                          ctx.checkpoint(state);
                          ctx.once("call", () -> calls.add(ctx.idempotencyKey("call")));
                          if (tries.incrementAndGet() % 2 == 1) {
                            throw new IllegalStateException("each turn fails once");
                          }
                          assertThat(earlier).isEqualTo(state);
                          return state == 3 ? Loop.done(state) : Loop.again(state + 1);
                        })
                    .retry(AT_ONCE));
    Run<Integer> run = engine().serve(pipeline).start(pipeline, 1);
    assertThat(run.await(PATIENCE)).isEqualTo(3);
    assertThat(calls).hasSize(3).doesNotHaveDuplicates();
    assertThat(run.subSteps("loop", 0)).hasSize(1);
  }

  /** It would be committed apart from what the body writes, and wait for it where one writes. */
  @Test
  default void aSubStepComesBeforeTheTransactionOfItsBody() throws InterruptedException {
    AtomicInteger calls = new AtomicInteger();
    ConcurrentLinkedQueue<String> refused = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "booked-with-calls",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .transactional(
                        "book",
                        String.class,
                        (text, tx) -> {
                          int call = tx.once("call", Integer.class, calls::incrementAndGet);
                          tx.checkpoint(call);
                          tx.connection();
                          try {
                            tx.once("late", Integer.class, calls::incrementAndGet);
                          } catch (IllegalStateException e) {
                            refused.add(e.getMessage());
                          }
                          if (tx.attempt() == 1) {
                            throw new IllegalStateException("on purpose");
                          }
                          return text + call;
                        })
                    .retry(AT_ONCE));
    Run<String> run = engine().serve(pipeline).start(pipeline, "a");
    assertThat(run.await(PATIENCE)).isEqualTo("a1");
    assertThat(calls).hasValue(1);
    assertThat(refused).hasSize(2).allMatch(message -> message.contains("before connection()"));
  }

  @Test
  default void badKeysAndValuesAreRefused() {
    AtomicInteger calls = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "bad",
            (text, ctx) -> {
              for (String key : List.of("", " ", "x".repeat(201), "a\0b", "\ud800")) {
                assertThatIllegalArgumentException()
                    .isThrownBy(
                        () -> ctx.once(key, String.class, () -> "" + calls.incrementAndGet()))
                    .withMessageContaining("1 to 200 characters");
              }
              assertThat(ctx.once("é".repeat(200), String.class, () -> "fits")).isEqualTo("fits");
              return ctx.once("large", String.class, () -> "x".repeat(2_000));
            });
    Standpipe standpipe = engine().start(engine().process(pipeline).maxValueBytes(1_000));
    Run<String> run = standpipe.start(pipeline, "x");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("maxValueBytes");
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    assertThat(calls).hasValue(0);
    assertThat(run.subSteps("work", 0)).hasSize(1);
  }

  @Test
  default void aContextThatOutlivesItsBodyKeepsNothing() throws InterruptedException {
    CompletableFuture<StepContext> leaked = new CompletableFuture<>();
    Pipeline<String, String> pipeline =
        single(
            "leaked",
            (text, ctx) -> {
              leaked.complete(ctx);
              return ctx.once("a", String.class, () -> text);
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThatIllegalStateException()
        .isThrownBy(() -> leaked.join().once("b", String.class, () -> "y"))
        .withMessageContaining("has returned");
    assertThatIllegalStateException().isThrownBy(() -> leaked.join().checkpoint(1));
  }

  @Test
  default void theKeyOfACallIsTheSameForEveryTry() throws InterruptedException {
    ConcurrentLinkedQueue<String> keys = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        single(
            "keyed",
            (text, ctx) -> {
              keys.add(ctx.idempotencyKey("invoice"));
              assertThat(ctx.idempotencyKey("invoice"))
                  .startsWith(ctx.idempotencyKey())
                  .isNotEqualTo(ctx.idempotencyKey("mail"));
              if (ctx.attempt() < 3) {
                throw new IOException("again");
              }
              return text;
            },
            step -> step.retry(AT_ONCE));
    engine().serve(pipeline).start(pipeline, "x").await(PATIENCE);
    assertThat(keys).hasSize(3).containsOnly(keys.peek());
  }

  /** The statements of the two tables, that is. */
  @Test
  default void whoHasNoSubStepsPaysNothingForThem() throws InterruptedException {
    Pipeline<String, String> plain = single("plain", (text, ctx) -> text);
    Pipeline<String, String> keeping =
        single("keeping", (text, ctx) -> ctx.once("a", String.class, () -> text));
    StatementCount count = StatementCount.before(engine().source());
    Standpipe standpipe =
        engine()
            .start(
                Standpipe.on(count.dataSource())
                    .grace(Duration.ofSeconds(2))
                    .serve(plain, keeping));
    standpipe.start(keeping, "x").await(PATIENCE);
    assertThat(count.with("substep")).isPositive();
    long before = count.with("substep") + count.with("checkpoint");
    standpipe.start(plain, "x").await(PATIENCE);
    assertThat(count.with("substep") + count.with("checkpoint")).isEqualTo(before);
  }
}
