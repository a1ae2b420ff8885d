package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Fail;
import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.engine.RetryContract;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.operate.Operator;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What the steps of a run share by name. */
public interface RunContextContract extends EnginePart {
  @Test
  default void laterStepsSeeTheContext() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "sharing-context",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "first",
                        String.class,
                        (text, ctx) -> {
                          assertThat(ctx.context().get("tags", String.class)).isEmpty();
                          ctx.context().set("tags", List.of("a", text));
                          return text;
                        })
                    .step("between", String.class, text -> text)
                    .step(
                        "last",
                        String.class,
                        (text, ctx) ->
                            ctx.context()
                                .get("tags", new TypeToken<List<String>>() {})
                                .orElseThrow()
                                .toString()));
    assertThat(engine().serve(pipeline).start(pipeline, "b").await(PATIENCE)).isEqualTo("[a, b]");
  }

  /** On a virtual thread an interrupt closes the socket that the thread reads from. */
  @Test
  default void anInterruptedContextReadBreaksNoConnection() throws InterruptedException {
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "interrupted",
            (text, ctx) -> {
              bodies.incrementAndGet();
              Thread reader = Thread.currentThread();
              AtomicBoolean over = new AtomicBoolean();
              Thread pest =
                  new Thread(
                      () -> {
                        while (!over.get()) {
                          reader.interrupt();
                          Thread.onSpinWait();
                        }
                      });
              pest.start();
              for (int i = 0; i < 100; i++) {
                assertThat(ctx.context().get("key-" + i, String.class)).isEmpty();
              }
              over.set(true);
              while (pest.isAlive()) {
                Thread.onSpinWait();
              }
              return text;
            },
            step -> step.retry(Retry.never()));
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
    assertThat(bodies).hasValue(1);
    standpipe.close();
    assertThat(heard.all(Event.DatabaseLost.class)).isEmpty();
  }

  @Test
  default void aFailedAttemptSetsNoContext() throws InterruptedException {
    Pipeline<String, String> pipeline =
        single(
            "forgetting",
            (text, ctx) -> {
              boolean seen = ctx.context().get("k", Integer.class).isPresent();
              ctx.context().set("k", ctx.attempt());
              assertThat(ctx.context().get("k", Integer.class)).contains(ctx.attempt());
              if (ctx.attempt() == 1) {
                throw new IOException("again");
              }
              return "seen before: " + seen;
            },
            step -> step.retry(RetryContract.QUICK));
    assertThat(engine().serve(pipeline).start(pipeline, "").await(PATIENCE))
        .isEqualTo("seen before: false");
    assertThat(engine().query("select value from standpipe_context")).containsExactly("2");
  }

  @Test
  default void aTakenContextKeyIsRefusedUnlessReplaced() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "taken",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "sets",
                        String.class,
                        (text, ctx) -> {
                          ctx.context().set("k", 1);
                          ctx.context().set("k", 1);
                          return text;
                        })
                    .step(
                        "again",
                        String.class,
                        (text, ctx) -> {
                          ctx.context().set("k", 1);
                          if (text.equals("replace")) {
                            ctx.context().replace("k", 2);
                          } else {
                            ctx.context().set("k", 2);
                          }
                          return text;
                        })
                    .retry(Retry.never())
                    .step(
                        "reads",
                        String.class,
                        (text, ctx) -> "" + ctx.context().get("k", Integer.class).orElseThrow()));
    var standpipe = engine().serve(pipeline);
    assertThat(standpipe.start(pipeline, "replace").await(PATIENCE)).isEqualTo("2");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> standpipe.start(pipeline, "set").await(PATIENCE))
        .withMessageContaining("dev.standpipe.error.ContextKeyTakenException")
        .withMessageContaining("another value for \"k\"");
  }

  @Test
  default void concurrentStepsCannotSetTheSameKey() {
    CyclicBarrier bothHaveSet = new CyclicBarrier(2);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "both-set",
            String.class,
            String.class,
            flow -> {
              Node<String> a =
                  flow.input()
                      .step(
                          "a",
                          String.class,
                          (text, ctx) -> {
                            ctx.context().set("k", "a");
                            bothHaveSet.await();
                            return text;
                          });
              Node<String> b =
                  flow.input()
                      .step(
                          "b",
                          String.class,
                          (text, ctx) -> {
                            ctx.context().set("k", "b");
                            bothHaveSet.await();
                            return text;
                          });
              return Node.join(a, b).step("both", String.class, (x, y) -> x + y);
            });
    Run<String> run = engine().serve(pipeline).start(pipeline, "");
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("context key");
    assertThat(run.info().haltReason()).contains(HaltReason.INVALID_VALUE);
    assertThat(engine().query("select count(*) from standpipe_context")).containsExactly("1");
  }

  @Test
  default void aReviveKeepsTheContextAndARerunDropsIt() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "kept",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "first",
                        String.class,
                        (text, ctx) -> {
                          boolean before = ctx.context().get("k", String.class).isPresent();
                          ctx.context().set("k", "of " + ctx.runId());
                          return "first saw " + before;
                        })
                    .step(
                        "last",
                        String.class,
                        (text, ctx) -> {
                          if (broken.get()) {
                            throw Fail.now("not yet");
                          }
                          return text + ", " + ctx.context().get("k", String.class).orElse("lost");
                        }));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "");
    assertThatExceptionOfType(RunFailedException.class).isThrownBy(() -> run.await(PATIENCE));
    broken.set(false);
    Operator eve = standpipe.operator("eve");
    eve.revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("first saw false, of " + run.id());
    Run<String> again = standpipe.run(pipeline, eve.rerun(run.id(), "once more"));
    assertThat(again.await(PATIENCE)).isEqualTo("first saw false, of " + again.id());
  }

  @Test
  default void aContextKeyMustBeStorableText() {
    Pipeline<String, String> pipeline =
        single(
            "bad-key",
            (text, ctx) -> {
              try {
                ctx.context().set(text, 1);
              } catch (IllegalArgumentException e) {
                throw Fail.now("refused", e);
              }
              return text;
            });
    var standpipe = engine().serve(pipeline);
    for (String bad : List.of("", " ", "k".repeat(256))) {
      assertThatExceptionOfType(RunFailedException.class)
          .isThrownBy(() -> standpipe.start(pipeline, bad).await(PATIENCE))
          .withMessageContaining("refused");
    }
  }
}
