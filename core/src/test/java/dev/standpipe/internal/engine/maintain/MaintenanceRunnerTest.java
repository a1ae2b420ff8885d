package dev.standpipe.internal.engine.maintain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.PendingWork.Seen;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A further duty is a class and a line. */
class MaintenanceRunnerTest {
  private final MaintenanceRunner runner = new MaintenanceRunner(new Events(List.of()));
  private List<EngineLoop> loops = List.of();

  /** Does something when a run has ended, and when the next deadline passes. */
  private static final class EndCounter implements PeriodicDuty {
    private final AtomicInteger performed = new AtomicInteger();

    @Override
    public String name() {
      return "end_counter";
    }

    @Override
    public Duration perform() {
      performed.incrementAndGet();
      return RARELY;
    }

    @Override
    public Optional<Duration> dueAfter(Seen seen, boolean news) {
      return seen.ended() ? Optional.of(Duration.ZERO) : seen.nextDeadline();
    }
  }

  /** Cannot work. */
  private record Failing() implements PeriodicDuty {
    @Override
    public String name() {
      return "failing";
    }

    @Override
    public Duration perform() {
      throw new IllegalStateException("on purpose");
    }
  }

  private void start() {
    loops = runner.loops();
    loops.forEach(EngineLoop::start);
  }

  @AfterEach
  void close() {
    loops.forEach(EngineLoop::close);
  }

  private static Seen seen(boolean ended, Optional<Duration> nextDeadline) {
    return new Seen(
        false,
        false,
        false,
        false,
        ended,
        false,
        false,
        1,
        Optional.empty(),
        nextDeadline,
        Optional.empty());
  }

  @Test
  void aDutyIsPerformedAtFirstAndWhenWhatWasSeenIsAReason() {
    EndCounter counter = new EndCounter();
    runner.addForAll(new Failing());
    runner.addForAll(counter);
    start();
    await().until(() -> counter.performed.get() == 1);
    runner.tell(seen(false, Optional.empty()), true);
    runner.tell(seen(true, Optional.empty()), true);
    await().until(() -> counter.performed.get() == 2);
    runner.tell(seen(false, Optional.of(Duration.ofMillis(20))), true);
    await().until(() -> counter.performed.get() == 3);
    runner.wake(counter);
    await().until(() -> counter.performed.get() == 4);
  }

  @Test
  void dutiesForAllAndForTheProcessItselfHaveAThreadEach() {
    runner.addForAll(new EndCounter());
    assertThat(runner.loops()).hasSize(1);
    runner.addForItself(new EndCounter());
    assertThat(runner.loops()).hasSize(2);
  }
}
