package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Attempts;
import dev.standpipe.internal.engine.loop.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class InFlightTest {
  private final InFlight hold = new InFlight(10, 100, Machine.REAL);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void anIdleProcessMayHoldAsManyTasksAsBodiesRunAtOnce() {
    assertThat(hold.limit()).isEqualTo(10);
    assertThat(hold.room()).isEqualTo(10);
    assertThat(hold.size()).isZero();
  }

  @Test
  void roomIsSetAsideUpToTheLimitAndGivenUpAgain() {
    assertThat(hold.reserve(4)).isEqualTo(4);
    assertThat(hold.room()).isEqualTo(6);
    assertThat(hold.reserve(100)).isEqualTo(6);
    assertThat(hold.reserve(1)).isZero();
    hold.unreserve(3);
    assertThat(hold.room()).isEqualTo(3);
    hold.unreserve(7);
    assertThat(hold.room()).isEqualTo(10);
  }

  @Test
  void aTryThatIsSettledGivesItsRoomBackOnce() {
    Attempt work = Attempts.work(1);
    hold.reserve(1);
    hold.add(work);
    assertThat(hold.works()).containsExactly(work);
    hold.remove(work);
    hold.remove(work);
    assertThat(hold.works()).isEmpty();
    assertThat(hold.size()).isZero();
    assertThat(hold.room()).isEqualTo(10);
  }

  @Test
  void expandsAreListedApartAsLongAsTheyAreHeld() {
    Attempt expand = Attempts.expand(1);
    hold.add(expand);
    hold.add(Attempts.work(2));
    assertThat(hold.works()).hasSize(2);
    assertThat(hold.expands()).containsExactly(expand);
    Attempt more = expand.goOn();
    hold.replace(expand, more);
    assertThat(hold.expands()).containsExactly(more);
    hold.remove(more);
    assertThat(hold.expands()).isEmpty();
  }

  @Test
  void aFollowerTakesOverTheRoomOfTheTryBeforeIt() {
    Attempt first = Attempts.work(1);
    Attempt second =
        first.follow(Attempts.PIPELINE.graph().vertex("second"), first.task, 0, first.token + 1);
    hold.reserve(1);
    hold.add(first);
    hold.replace(first, second);
    assertThat(hold.works()).containsExactly(second);
    assertThat(hold.size()).isEqualTo(1);
    hold.remove(first);
    assertThat(hold.size()).isEqualTo(1);
    hold.remove(second);
    assertThat(hold.size()).isZero();
  }

  @Test
  void whileOneIsToRunAloneNothingElseIsTakenOrKept() {
    hold.reserveBeyond(1);
    hold.setApart(true);
    assertThat(hold.reserve(1)).isZero();
    assertThat(hold.mayKeep()).isFalse();
    hold.setApart(false);
    assertThat(hold.reserve(20)).isEqualTo(9);
    hold.reserveBeyond(1);
    assertThat(hold.size()).as("one more than the limit").isEqualTo(11);
  }

  @Test
  void aFastProcessMayHoldMoreButOnlySoMuch() {
    while (hold.limit() == 10) {
      hold.settled(1_000_000);
    }
    assertThat(hold.limit()).isEqualTo(10 + 5 * 100);
  }

  @Test
  void aFullProcessKeepsWhatFollowsAndAClosedOneDoesNot() {
    hold.reserve(10);
    assertThat(hold.mayKeep()).isTrue();
    hold.close();
    assertThat(hold.mayKeep()).isFalse();
  }

  @Test
  void aClosedProcessTakesNothingMore() {
    hold.reserve(2);
    hold.close();
    assertThat(hold.limit()).isZero();
    assertThat(hold.room()).isZero();
    assertThat(hold.reserve(1)).isZero();
    assertThat(hold.size()).isEqualTo(2);
  }

  @Test
  void manyThreadsTogetherNeverReserveMoreThanThereIs() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      InFlight contested = new InFlight(10, 100, Machine.REAL);
      CyclicBarrier together = new CyclicBarrier(4);
      List<Future<Integer>> granted = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        granted.add(
            threads.submit(
                () -> {
                  together.await();
                  return contested.reserve(6);
                }));
      }
      int total = 0;
      for (Future<Integer> one : granted) {
        total += one.get();
      }
      assertThat(total).as("round %d", round).isEqualTo(10);
      assertThat(contested.size()).isEqualTo(10);
    }
  }

  @Test
  void nothingMovesWhileWhatIsHeldIsCompared() throws Exception {
    CountDownLatch bothMove = new CountDownLatch(2);
    CountDownLatch finish = new CountDownLatch(1);
    AtomicInteger moving = new AtomicInteger();
    List<Future<Integer>> movers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      movers.add(
          threads.submit(
              () ->
                  hold.moving(
                      () -> {
                        moving.incrementAndGet();
                        bothMove.countDown();
                        uninterruptibly(finish);
                        return moving.decrementAndGet();
                      })));
    }
    assertThat(bothMove.await(10, TimeUnit.SECONDS)).as("two move at once").isTrue();
    Future<Integer> seen = threads.submit(() -> hold.still(moving::get));
    finish.countDown();
    for (Future<Integer> mover : movers) {
      mover.get();
    }
    assertThat(seen.get()).as("moving, seen while still").isZero();
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
