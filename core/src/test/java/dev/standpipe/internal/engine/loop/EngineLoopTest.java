package dev.standpipe.internal.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.spi.Event;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EngineLoopTest {
  private static final Duration LONG = Duration.ofHours(1);

  private final List<Event> events = Collections.synchronizedList(new ArrayList<>());
  private final Semaphore passes = new Semaphore(0);

  @Test
  void aLoopRunsAtOnceAndWheneverDue() throws Exception {
    try (EngineLoop loop =
        loop(
            () -> {
              passes.release();
              return Duration.ofMillis(1);
            })) {
      loop.start();
      assertThat(passes.tryAcquire(20, 10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aWakeEndsTheWait() throws Exception {
    try (EngineLoop loop = loop(this::passAndWaitLong)) {
      loop.start();
      for (int i = 0; i < 20; i++) {
        assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        await().pollDelay(Duration.ZERO).until(loop::isWaiting);
        assertThat(passes.availablePermits()).isZero();
        loop.wake();
      }
    }
  }

  @Test
  void aWakeDuringAPassIsNotForgotten() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch woken = new CountDownLatch(1);
    try (EngineLoop loop =
        loop(
            () -> {
              first.countDown();
              uninterruptibly(woken);
              return passAndWaitLong();
            })) {
      loop.start();
      assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
      loop.wake();
      woken.countDown();
      assertThat(passes.tryAcquire(2, 10, TimeUnit.SECONDS)).as("a second pass").isTrue();
    }
  }

  @Test
  void noWakeIsLostInARaceWithTheWait() throws Exception {
    try (EngineLoop loop = loop(this::passAndWaitLong)) {
      loop.start();
      for (int i = 0; i < 20_000; i++) {
        assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).as("pass %d", i).isTrue();
        loop.wake();
      }
    }
  }

  @Test
  void aLostDatabaseIsRetriedWithBackoff() throws Exception {
    List<Long> times = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger failures = new AtomicInteger(4);
    try (EngineLoop loop =
        loop(
            () -> {
              times.add(System.nanoTime());
              if (failures.getAndDecrement() > 0) {
                throw lost();
              }
              return passAndWaitLong();
            })) {
      loop.start();
      assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      await().until(() -> events.size() == 2);
    }
    assertThat(times).hasSize(5);
    long[] atLeast = {40, 80, 160, 320};
    for (int i = 0; i < atLeast.length; i++) {
      long paused = TimeUnit.NANOSECONDS.toMillis(times.get(i + 1) - times.get(i));
      assertThat(paused).as("pause %d", i).isGreaterThanOrEqualTo(atLeast[i] - 1);
    }
    assertThat(events.get(0))
        .isInstanceOfSatisfying(
            Event.DatabaseLost.class,
            event -> {
              assertThat(event.part()).isEqualTo("test");
              assertThat(event.reason()).contains("no route to host");
            });
    assertThat(events.get(1)).isEqualTo(new Event.DatabaseBack("test"));
  }

  @Test
  void aWakeDuringAFailedPassKeepsThePause() {
    AtomicInteger tries = new AtomicInteger();
    AtomicReference<EngineLoop> self = new AtomicReference<>();
    long began = System.nanoTime();
    try (EngineLoop loop =
        loop(
            () -> {
              self.get().wake();
              tries.incrementAndGet();
              throw lost();
            })) {
      self.set(loop);
      loop.start();
      await().until(() -> tries.get() >= 3);
    }
    assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(119));
  }

  @Test
  void aBuggyPassIsRetriedInASecond() throws Exception {
    AtomicInteger tries = new AtomicInteger();
    long began = System.nanoTime();
    try (EngineLoop loop =
        loop(
            () -> {
              if (tries.getAndIncrement() == 0) {
                throw new Bug();
              }
              return passAndWaitLong();
            })) {
      loop.start();
      assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(990));
    assertThat(events).isEmpty();
  }

  @Test
  void aFailingDutyDoesNotHoldUpTheOthers() throws Exception {
    Duty failing =
        new Duty(
            "failing",
            () -> {
              throw lost();
            },
            new Events(List.of()));
    Duty other = new Duty("other", this::passAndWaitLong, new Events(List.of()));
    try (EngineLoop loop = new EngineLoop("both", List.of(failing, other))) {
      loop.start();
      for (int i = 0; i < 20; i++) {
        assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).as("pass %d", i).isTrue();
        other.wake();
      }
    }
  }

  @Test
  void aDutyCanBeScheduled() throws Exception {
    Duty duty = new Duty("timed", this::passAndWaitLong, new Events(List.of()));
    try (EngineLoop loop = new EngineLoop("one", List.of(duty))) {
      loop.start();
      assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      await().until(loop::isWaiting);
      long began = System.nanoTime();
      duty.wakeIn(Duration.ofMillis(100));
      duty.wakeIn(Duration.ofMinutes(1));
      assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
      assertThat(System.nanoTime() - began).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(99));
      assertThat(passes.availablePermits()).isZero();
    }
  }

  @Test
  void anInterruptDoesNotReachTheNextPass() throws Exception {
    AtomicInteger interrupted = new AtomicInteger();
    try (EngineLoop loop =
        loop(
            () -> {
              if (Thread.currentThread().isInterrupted()) {
                interrupted.incrementAndGet();
              }
              Thread.currentThread().interrupt();
              passes.release();
              return Duration.ofMillis(1);
            })) {
      loop.start();
      assertThat(passes.tryAcquire(5, 10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(interrupted).hasValue(0);
  }

  @Test
  void closingWaitsForTheRunningPass() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Thread closer = closerOfABusyLoop(release);
    await().until(() -> isBlocked(closer));
    assertThat(passes.availablePermits()).as("the pass still runs").isZero();
    release.countDown();
    closer.join(TimeUnit.SECONDS.toMillis(10));
    assertThat(closer.isAlive()).isFalse();
    assertThat(passes.availablePermits()).as("no pass after the close").isEqualTo(1);
  }

  @Test
  void anInterruptedCloserStopsWaiting() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    Thread closer = closerOfABusyLoop(release);
    await().until(() -> isBlocked(closer));
    closer.interrupt();
    closer.join(TimeUnit.SECONDS.toMillis(10));
    assertThat(closer.isAlive()).isFalse();
    assertThat(passes.availablePermits()).as("the pass still runs").isZero();
    release.countDown();
    assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).as("it runs to its end").isTrue();
  }

  @Test
  void closingEndsALongWait() throws Exception {
    EngineLoop loop = loop(this::passAndWaitLong);
    loop.start();
    assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    loop.close();
    assertThat(passes.availablePermits()).isZero();
  }

  @Test
  void aPassMayCloseItsOwnLoop() throws Exception {
    AtomicReference<EngineLoop> self = new AtomicReference<>();
    EngineLoop loop =
        loop(
            () -> {
              self.get().close();
              passes.release();
              return Duration.ZERO;
            });
    self.set(loop);
    loop.start();
    assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    loop.close();
    assertThat(passes.availablePermits()).isZero();
  }

  /** An interrupt ends one wait of the thread's, and not all that follow. */
  @Test
  void anInterruptedLoopStillWaits() throws InterruptedException {
    EngineLoop loop = loop(this::passAndWaitLong);
    loop.start();
    assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    loop.interrupt();
    loop.wake();
    assertThat(passes.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    await().until(loop::isWaiting);
    assertThat(passes.availablePermits()).isZero();
    loop.interrupt();
    await().during(Duration.ofMillis(200)).until(() -> passes.availablePermits() == 0);
    loop.close();
  }

  @Test
  void anUnstartedLoopCanBeClosed() {
    loop(this::passAndWaitLong).close();
    assertThat(passes.availablePermits()).isZero();
  }

  /** Closes, on a thread of its own, a loop whose pass goes on until it is released. */
  private Thread closerOfABusyLoop(CountDownLatch release) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    EngineLoop loop =
        loop(
            () -> {
              begun.countDown();
              uninterruptibly(release);
              return passAndWaitLong();
            });
    loop.start();
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    Thread closer = new Thread(loop::close);
    closer.start();
    return closer;
  }

  private static boolean isBlocked(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        || thread.getState() == Thread.State.TIMED_WAITING;
  }

  private Duration passAndWaitLong() {
    passes.release();
    return LONG;
  }

  private EngineLoop loop(EngineLoop.Pass pass) {
    return new EngineLoop("test", pass, new Events(List.of(events::add)));
  }

  private static StoreException lost() {
    return new StoreException(
        StoreFailure.CONNECTION, new SQLException("no route to host", "08001"));
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Has no trace, so that the log stays short. */
  private static final class Bug extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Bug() {
      super("a bug, on purpose", null, false, false);
    }
  }
}
