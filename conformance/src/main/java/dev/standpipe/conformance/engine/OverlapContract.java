package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Bodies that run on when their tries are over: nobody can end them, but they are reported. */
public interface OverlapContract extends EnginePart {
  /** Its first body waits for the gate, whatever interrupts it. */
  private static Pipeline<String, String> stubborn(CountDownLatch begun, CountDownLatch gate) {
    AtomicInteger tries = new AtomicInteger();
    return single(
        "stubborn",
        (text, ctx) -> {
          boolean first = tries.incrementAndGet() == 1;
          begun.countDown();
          while (first && gate.getCount() > 0) {
            try {
              gate.await();
            } catch (InterruptedException e) {
              assertThat(ctx.isCanceled()).isTrue();
            }
          }
          return text;
        },
        step -> step.timeout(Duration.ofMillis(300)).retry(Retry.fixed(Duration.ZERO).limit(9)));
  }

  @Test
  default void aBodyOutlivingItsTimeoutIsReported() throws InterruptedException {
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<String, String> pipeline = stubborn(new CountDownLatch(1), gate);
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    Run<String> run = standpipe.start(pipeline, "x");
    assertThat(run.await(PATIENCE)).as("beside the first body").isEqualTo("x");
    gate.countDown();
    assertThat(heard.awaitAny(Event.BodyStillRunning.class))
        .isNotEmpty()
        .allMatch(event -> event.step().run().equals(run.id()))
        .allMatch(event -> event.name().equals("body_still_running"))
        .anyMatch(event -> event.step().attempt() == 1);
  }

  @Test
  default void aBodyOutlivingItsProcessIsReported() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    Pipeline<String, String> pipeline = stubborn(begun, gate);
    Heard heard = new Heard();
    Standpipe standpipe =
        engine().start(engine().process(pipeline).grace(Duration.ZERO).listener(heard));
    Run<String> run = standpipe.start(pipeline, "x");
    begun.await();
    standpipe.close();
    gate.countDown();
    assertThat(heard.awaitAny(Event.BodyStillRunning.class))
        .extracting(event -> event.step().run())
        .contains(run.id());
  }

  @Test
  default void bodiesThatEndInTimeAreNotReported() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "orderly",
            (text, ctx) -> {
              if (tries.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
              }
              return text;
            },
            step -> step.timeout(PATIENCE).retry(Retry.fixed(Duration.ZERO)));
    Heard heard = new Heard();
    Standpipe standpipe = engine().start(engine().process(pipeline).listener(heard));
    assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
    await().atMost(PATIENCE).until(() -> !heard.all(Event.RunFinished.class).isEmpty());
    assertThat(heard.all(Event.BodyStillRunning.class)).isEmpty();
  }
}
