package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.TypeToken;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.InvalidValueException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What users see of checkpoints, through the API. */
public interface CheckpointContract extends EnginePart {
  @Test
  default void theNextTryGoesOnWhereTheLastOneWas() throws InterruptedException {
    ConcurrentLinkedQueue<Integer> done = new ConcurrentLinkedQueue<>();
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "paged",
            (text, ctx) -> {
              tries.incrementAndGet();
              int from = ctx.checkpoint(Integer.class).orElse(0);
              for (int page = from; page < 9; page++) {
                done.add(page);
                ctx.checkpoint(page + 1);
                assertThat(ctx.checkpoint(Integer.class)).contains(page + 1);
                if (page == 2) {
                  throw new IOException("in the middle");
                }
                if (page == 5) {
                  throw Retry.after(Duration.ZERO);
                }
              }
              return text + done;
            },
            step -> step.retry(Retry.fixed(Duration.ZERO).limit(1)));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x[0, 1, 2, 3, 4, 5, 6, 7, 8]");
    assertThat(tries).hasValue(3);
    assertThat(engine().query("select * from standpipe_checkpoint")).isEmpty();
  }

  @Test
  default void aBodyThatIsStoppedMayKeepHowFarItCame() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    AtomicBoolean waits = new AtomicBoolean(true);
    Pipeline<String, String> pipeline =
        single(
            "stopped-at",
            (text, ctx) -> {
              List<String> before =
                  ctx.checkpoint(new TypeToken<List<String>>() {}).orElse(new ArrayList<>());
              boolean stays = waits.get();
              begun.countDown();
              if (stays) {
                try {
                  EngineFixture.pause(PATIENCE);
                } catch (InterruptedException e) {
                  ctx.checkpoint(List.of("here", "and there"), new TypeToken<List<String>>() {});
                  throw e;
                }
              }
              return text + before;
            });
    Standpipe first = engine().start(engine().process(pipeline).grace(Duration.ZERO));
    Run<String> run = engine().client().start(pipeline, "x");
    begun.await();
    waits.set(false);
    first.close();
    engine().serve(pipeline);
    assertThat(run.await(PATIENCE)).isEqualTo("x[here, and there]");
  }

  @Test
  default void aCheckpointThatIsTooLargeIsRefusedAtTheCall() throws InterruptedException {
    Pipeline<String, String> pipeline =
        single(
            "large",
            (text, ctx) -> {
              ctx.checkpoint("small");
              assertThatExceptionOfType(InvalidValueException.class)
                  .isThrownBy(() -> ctx.checkpoint("x".repeat(2_000)))
                  .withMessageContaining("maxValueBytes");
              return ctx.checkpoint(String.class).orElseThrow();
            });
    Standpipe standpipe = engine().start(engine().process(pipeline).maxValueBytes(1_000));
    assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("small");
  }

  @Test
  default void everyElementHasItsOwn() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "checked",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("split", Integer.class, n -> List.of(1, 2, 3))
                    .step(
                        "each",
                        Integer.class,
                        (n, ctx) -> {
                          int at = ctx.checkpoint(Integer.class).orElse(0);
                          ctx.checkpoint(at + n);
                          if (ctx.attempt() < 3) {
                            throw new IOException("again");
                          }
                          return at;
                        })
                    .retry(Retry.fixed(Duration.ZERO).limit(2))
                    .collapse("sum", Integer.class, all -> all.stream().mapToInt(i -> i).sum()));
    assertThat(engine().serve(pipeline).start(pipeline, 1).await(PATIENCE)).isEqualTo(12);
    assertThat(engine().query("select * from standpipe_checkpoint")).isEmpty();
  }
}
