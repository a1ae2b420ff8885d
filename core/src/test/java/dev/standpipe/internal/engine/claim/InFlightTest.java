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
  private final InFlight inFlight = new InFlight(10, 100, Machine.REAL);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void anIdleProcessMayHoldOneTaskPerBody() {
    assertThat(inFlight.limit()).isEqualTo(10);
    assertThat(inFlight.room()).isEqualTo(10);
    assertThat(inFlight.size()).isZero();
  }

  @Test
  void roomIsReservedUpToTheLimit() {
    assertThat(inFlight.reserve(4)).isEqualTo(4);
    assertThat(inFlight.room()).isEqualTo(6);
    assertThat(inFlight.reserve(100)).isEqualTo(6);
    assertThat(inFlight.reserve(1)).isZero();
    inFlight.unreserve(3);
    assertThat(inFlight.room()).isEqualTo(3);
    inFlight.unreserve(7);
    assertThat(inFlight.room()).isEqualTo(10);
  }

  @Test
  void aSettledAttemptFreesItsRoomOnce() {
    Attempt attempt = Attempts.attempt(1);
    inFlight.reserve(1);
    inFlight.add(attempt);
    assertThat(inFlight.attempts()).containsExactly(attempt);
    inFlight.remove(attempt);
    inFlight.remove(attempt);
    assertThat(inFlight.attempts()).isEmpty();
    assertThat(inFlight.size()).isZero();
    assertThat(inFlight.room()).isEqualTo(10);
  }

  @Test
  void heldExpandsAreListedApart() {
    Attempt expand = Attempts.expand(1);
    inFlight.add(expand);
    inFlight.add(Attempts.attempt(2));
    assertThat(inFlight.attempts()).hasSize(2);
    assertThat(inFlight.expands()).containsExactly(expand);
    Attempt more = expand.goOn();
    inFlight.replace(expand, more);
    assertThat(inFlight.expands()).containsExactly(more);
    inFlight.remove(more);
    assertThat(inFlight.expands()).isEmpty();
  }

  @Test
  void aFollowingAttemptTakesOverTheRoom() {
    Attempt first = Attempts.attempt(1);
    Attempt second =
        first.follow(Attempts.PIPELINE.graph().vertex("second"), first.ref.handedOn(), 0);
    inFlight.reserve(1);
    inFlight.add(first);
    inFlight.replace(first, second);
    assertThat(inFlight.attempts()).containsExactly(second);
    assertThat(inFlight.size()).isEqualTo(1);
    inFlight.remove(first);
    assertThat(inFlight.size()).isEqualTo(1);
    inFlight.remove(second);
    assertThat(inFlight.size()).isZero();
  }

  @Test
  void aLoneSuspectBlocksFurtherClaims() {
    inFlight.reserveBeyond(1);
    inFlight.setApart(true);
    assertThat(inFlight.reserve(1)).isZero();
    assertThat(inFlight.mayKeep()).isFalse();
    inFlight.setApart(false);
    assertThat(inFlight.reserve(20)).isEqualTo(9);
    inFlight.reserveBeyond(1);
    assertThat(inFlight.size()).as("one more than the limit").isEqualTo(11);
  }

  @Test
  void aFastProcessMayHoldMoreUpToACap() {
    while (inFlight.limit() == 10) {
      inFlight.settled(1_000_000);
    }
    assertThat(inFlight.limit()).isEqualTo(10 + 5 * 100);
  }

  @Test
  void aFullProcessKeepsNextStepsUntilItCloses() {
    inFlight.reserve(10);
    assertThat(inFlight.mayKeep()).isTrue();
    inFlight.close();
    assertThat(inFlight.mayKeep()).isFalse();
  }

  @Test
  void aClosedProcessReservesNoRoom() {
    inFlight.reserve(2);
    inFlight.close();
    assertThat(inFlight.limit()).isZero();
    assertThat(inFlight.room()).isZero();
    assertThat(inFlight.reserve(1)).isZero();
    assertThat(inFlight.size()).isEqualTo(2);
  }

  @Test
  void racingThreadsNeverReserveTooMuch() throws Exception {
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
  void comparingLeasesWaitsForMoves() throws Exception {
    CountDownLatch bothMove = new CountDownLatch(2);
    CountDownLatch finish = new CountDownLatch(1);
    AtomicInteger moving = new AtomicInteger();
    List<Future<Integer>> movers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      movers.add(
          threads.submit(
              () ->
                  inFlight.moving(
                      () -> {
                        moving.incrementAndGet();
                        bothMove.countDown();
                        uninterruptibly(finish);
                        return moving.decrementAndGet();
                      })));
    }
    assertThat(bothMove.await(10, TimeUnit.SECONDS)).as("two move at once").isTrue();
    Future<Integer> seen = threads.submit(() -> inFlight.still(moving::get));
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
