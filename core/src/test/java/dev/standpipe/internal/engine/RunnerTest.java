package dev.standpipe.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.internal.codec.JacksonCodec;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks.Claimed;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RunnerTest {
  private final List<Outcome> outcomes = new ArrayList<>();
  private final Timeouts timeouts = new Timeouts(outcomes::add, Machine.REAL.timer());
  private final AtomicInteger bodies = new AtomicInteger();
  private final Pipeline<String, String> pipeline =
      Pipeline.define(
          "runner",
          String.class,
          String.class,
          flow -> flow.input().step("only", String.class, text -> text + bodies.incrementAndGet()));

  @AfterEach
  void close() {
    timeouts.close();
  }

  @Test
  void aTryIsRun() {
    assertThat(run(work()).ending()).isEqualTo(new Outcome.Returned(List.of("\"x1\"")));
  }

  /** As when the lease is lost between the look at it and the beginning: too early to interrupt. */
  @Test
  void aTryThatIsCanceledBeforeItBeginsIsGivenBackAndNotRun() {
    Work work = work();
    work.cancel();
    assertThat(run(work).ending()).isEqualTo(new Outcome.GivenBack());
    assertThat(bodies.get()).isZero();
  }

  private Work work() {
    Claimed task = new Claimed(new UUID(2, 2), 1, "only", 0, 1, 0, 1, 1, 0, true, 0);
    Work work = Work.of(new UUID(1, 1), pipeline, task);
    work.inputs(List.of("\"x\""));
    return work;
  }

  private Outcome run(Work work) {
    Store none = null; // a step reads nothing but what it was given
    Runner.Means means = new Runner.Means(new JacksonCodec(), none, () -> new UUID(3, 3));
    Runner.Exits exits = new Runner.Exits(outcomes::add, waiting -> {});
    new Runner(means, new Events(List.of()), timeouts, exits).run(work);
    assertThat(outcomes).hasSize(1);
    return outcomes.get(0);
  }
}
