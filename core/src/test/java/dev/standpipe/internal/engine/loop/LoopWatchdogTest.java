package dev.standpipe.internal.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LoopWatchdogTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final List<Event> heard = Collections.synchronizedList(new ArrayList<>());
  private final Events events = new Events(List.of(heard::add));
  private final Semaphore passes = new Semaphore(0);

  /** No listener and no codec may throw a checked exception, but in other languages they can. */
  @Test
  void theWatchdogReplacesADeadThread() throws Exception {
    AtomicBoolean once = new AtomicBoolean(true);
    try (EngineLoop loop =
        new EngineLoop(
            "mortal",
            () -> {
              passes.release();
              if (once.getAndSet(false)) {
                throw LoopWatchdogTest.<RuntimeException>hidden(new IOException("not declared"));
              }
              return LONG;
            },
            events)) {
      LoopWatchdog loopWatchdog = new LoopWatchdog(events, LONG);
      loopWatchdog.lookAfter(List.of(loop));
      loop.start();
      await().dontCatchUncaughtExceptions().until(loop::isDead);
      loopWatchdog.make();
      assertThat(passes.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
      loopWatchdog.make();
      assertThat(heard).containsExactly(new Event.PartRestarted("mortal", "its thread had died"));
    }
  }

  @Test
  void theWatchdogInterruptsAHangingPass() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    AtomicBoolean interrupted = new AtomicBoolean();
    try (EngineLoop loop =
        new EngineLoop(
            "stuck",
            () -> {
              passes.release();
              try {
                never.await();
                return LONG;
              } catch (InterruptedException e) {
                interrupted.set(true);
                return LONG;
              }
            },
            events)) {
      LoopWatchdog loopWatchdog = new LoopWatchdog(events, Duration.ofMillis(100));
      loopWatchdog.lookAfter(List.of(loop));
      loop.start();
      assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      await()
          .pollInterval(Duration.ofMillis(10))
          .until(() -> loopWatchdog.make() != null && interrupted.get());
      await().until(loop::isWaiting);
      assertThat(heard) // more than once if its thread is slow to hear of the interrupt
          .isNotEmpty()
          .allSatisfy(LoopWatchdogTest::assertStuckForLong);
      int before = heard.size();
      loopWatchdog.make();
      assertThat(heard).hasSize(before);
    }
  }

  private static void assertStuckForLong(Event heard) {
    assertThat(heard)
        .isInstanceOfSatisfying(
            Event.PartStuck.class,
            event -> {
              assertThat(event.part()).isEqualTo("stuck");
              assertThat(event.since()).isGreaterThanOrEqualTo(Duration.ofMillis(100));
            });
  }

  @Test
  void theWatchdogNeverDoublesAStubbornPass() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    try (EngineLoop loop =
        new EngineLoop(
            "deaf",
            () -> {
              passes.release();
              uninterruptibly(end);
              return LONG;
            },
            events)) {
      LoopWatchdog loopWatchdog = new LoopWatchdog(events, Duration.ofMillis(50));
      loopWatchdog.lookAfter(List.of(loop));
      loop.start();
      await()
          .pollInterval(Duration.ofMillis(10))
          .until(() -> loopWatchdog.make() != null && heard.size() == 3);
      assertThat(passes.availablePermits()).isOne();
      end.countDown();
    }
    assertThat(heard).allMatch(event -> event instanceof Event.PartStuck);
  }

  @Test
  void otherDutiesContinueWithoutAStubbornDuty() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    Semaphore others = new Semaphore(0);
    Duty deaf =
        new Duty(
            "deaf",
            () -> {
              passes.release();
              uninterruptibly(end);
              return LONG;
            },
            events);
    Duty other =
        new Duty(
            "other",
            () -> {
              others.release();
              return LONG;
            },
            events);
    try (EngineLoop loop = new EngineLoop("both", List.of(deaf, other))) {
      LoopWatchdog loopWatchdog = new LoopWatchdog(events, Duration.ofMillis(50));
      loopWatchdog.lookAfter(List.of(loop));
      loop.start();
      await()
          .pollInterval(Duration.ofMillis(10))
          .until(() -> loopWatchdog.make() != null && others.tryAcquire());
      other.wake();
      assertThat(others.tryAcquire(10, TimeUnit.SECONDS)).as("another pass of the other").isTrue();
      deaf.wake();
      assertThat(passes.availablePermits()).as("the deaf one is not doubled").isOne();
      end.countDown();
      assertThat(passes.tryAcquire(2, 10, TimeUnit.SECONDS)).as("it joins again").isTrue();
    }
    assertThat(heard).contains(new Event.PartRestarted("both", "it goes on without deaf"));
  }

  @Test
  void theWatchdogLeavesIdleAndStoppedLoopsAlone() throws Exception {
    EngineLoop idle =
        new EngineLoop(
            "idle",
            () -> {
              passes.release();
              return LONG;
            },
            events);
    EngineLoop unused = new EngineLoop("unused", () -> LONG, events);
    LoopWatchdog loopWatchdog = new LoopWatchdog(events, Duration.ZERO.plusNanos(1));
    loopWatchdog.lookAfter(List.of(idle, unused));
    idle.start();
    await().until(idle::isWaiting);
    loopWatchdog.make();
    idle.close();
    unused.close();
    loopWatchdog.make();
    assertThat(heard).isEmpty();
    assertThat(passes.availablePermits()).isOne();
  }

  private static void uninterruptibly(CountDownLatch latch) {
    boolean through = false;
    while (!through) {
      try {
        latch.await();
        through = true;
      } catch (InterruptedException e) {
        // deaf
      }
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E hidden(Exception checked) throws E {
    throw (E) checked;
  }
}
