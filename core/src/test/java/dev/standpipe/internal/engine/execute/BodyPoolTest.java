package dev.standpipe.internal.engine.execute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.internal.engine.claim.Capacity;
import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.expand.ExpandThrottle;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.loop.Threads;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class BodyPoolTest {
  @Test
  void theLimitKeepsFurtherBodiesWaiting() throws Exception {
    CountDownLatch arrived = new CountDownLatch(4);
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(9);
    AtomicInteger begun = new AtomicInteger();
    try (BodyPool pool =
        new BodyPool(
            4,
            Threads.forBodies(),
            open(),
            attempt -> {
              begun.incrementAndGet();
              arrived.countDown();
              uninterruptibly(release);
              finished.countDown();
            })) {
      for (int i = 0; i < 9; i++) {
        pool.submit(List.of(Attempts.attempt(i)));
      }
      assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(pool.running()).isEqualTo(4);
      assertThat(begun).hasValue(4);
      assertThat(pool.isBacklogged()).isTrue();
      release.countDown();
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
      await().until(() -> pool.running() == 0);
      assertThat(pool.isBacklogged()).isFalse();
    }
  }

  /** As on a machine that has no threads left for a moment. */
  @Test
  void aRefusedThreadIsRequestedAgain() throws Exception {
    AtomicInteger refusals = new AtomicInteger(3);
    CountDownLatch finished = new CountDownLatch(2);
    ExecutorService scarce =
        new ThreadPoolExecutor(0, 4, 1, TimeUnit.SECONDS, new SynchronousQueue<>()) {
          @Override
          public void execute(Runnable task) {
            if (refusals.getAndDecrement() > 0) {
              throw new OutOfMemoryError("unable to create native thread: made up");
            }
            super.execute(task);
          }
        };
    try (BodyPool pool = new BodyPool(4, scarce, open(), attempt -> finished.countDown())) {
      pool.submit(List.of(Attempts.attempt(1)));
      pool.submit(List.of(Attempts.attempt(2)));
      assertThat(pool.running()).isZero();
      assertThat(pool.isBacklogged()).isTrue();
      pool.look();
      assertThat(pool.isBacklogged()).isTrue();
      pool.look();
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void errorsAndInterruptsDoNotReachTheNextBody() throws Exception {
    CountDownLatch finished = new CountDownLatch(3);
    AtomicInteger interrupted = new AtomicInteger();
    try (BodyPool pool =
        new BodyPool(
            1,
            Threads.forBodies(),
            open(),
            attempt -> {
              interrupted.addAndGet(Thread.currentThread().isInterrupted() ? 1 : 0);
              finished.countDown();
              Thread.currentThread().interrupt();
              throw new NoClassDefFoundError("on purpose");
            })) {
      pool.submit(List.of(Attempts.attempt(1), Attempts.attempt(2), Attempts.attempt(3)));
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(interrupted).hasValue(0);
    }
  }

  @Test
  void racingSubmittersKeepTheLimitAndLoseNoBody() throws Exception {
    int submitters = 4;
    int each = 5_000;
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Set<Long> done = ConcurrentHashMap.newKeySet();
    CountDownLatch finished = new CountDownLatch(submitters * each);
    try (BodyPool pool =
        new BodyPool(
            3,
            Threads.forBodies(),
            open(),
            attempt -> {
              most.accumulateAndGet(running.incrementAndGet(), Math::max);
              done.add(attempt.ref.id());
              running.decrementAndGet();
              finished.countDown();
            })) {
      for (int i = 0; i < submitters; i++) {
        long from = (long) i * each;
        new Thread(
                () -> {
                  for (int j = 0; j < each; j++) {
                    pool.submit(List.of(Attempts.attempt(from + j)));
                  }
                })
            .start();
      }
      assertThat(finished.await(20, TimeUnit.SECONDS)).as("all have run").isTrue();
    }
    assertThat(done).hasSize(submitters * each);
    assertThat(most.get()).isBetween(1, 3);
  }

  @Test
  void aPoolOfOneRunsBodiesInOrder() throws Exception {
    ConcurrentLinkedQueue<Long> order = new ConcurrentLinkedQueue<>();
    CountDownLatch finished = new CountDownLatch(1_000);
    try (BodyPool pool =
        new BodyPool(
            1,
            Threads.forBodies(),
            open(),
            attempt -> {
              order.add(attempt.ref.id());
              finished.countDown();
            })) {
      for (int i = 0; i < 1_000; i++) {
        pool.submit(List.of(Attempts.attempt(i)));
      }
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(order.stream().toList()).isSorted().hasSize(1_000);
  }

  @Test
  void aThrowingBodyFreesItsPlace() throws Exception {
    CountDownLatch finished = new CountDownLatch(10);
    try (BodyPool pool =
        new BodyPool(
            1,
            Threads.forBodies(),
            open(),
            attempt -> {
              Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
              finished.countDown();
              throw new IllegalStateException("on purpose");
            })) {
      for (int i = 0; i < 10; i++) {
        pool.submit(List.of(Attempts.attempt(i)));
      }
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
      await().until(() -> pool.running() == 0);
    }
  }

  @Test
  void closingInterruptsRunningBodies() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    BodyPool pool =
        new BodyPool(
            1,
            Threads.forBodies(),
            open(),
            attempt -> {
              begun.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });
    pool.submit(List.of(Attempts.attempt(1)));
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    pool.close();
    assertThat(interrupted.await(10, TimeUnit.SECONDS)).isTrue();
  }

  private static ExpandThrottle open() {
    return new ExpandThrottle(new InFlight(new Capacity(10, 100, Machine.REAL), Machine.REAL));
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
