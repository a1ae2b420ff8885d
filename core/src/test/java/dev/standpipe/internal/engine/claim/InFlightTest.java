package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Attempts;
import dev.standpipe.internal.engine.loop.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
  private final Capacity capacity = new Capacity(10, 100, Machine.REAL);
  private final InFlight inFlight = new InFlight(capacity, Machine.REAL);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void aSettledAttemptFreesItsRoomOnce() {
    Attempt attempt = Attempts.attempt(1);
    capacity.reserve(1);
    inFlight.add(attempt);
    assertThat(inFlight.attempts()).containsExactly(attempt);
    inFlight.remove(attempt);
    inFlight.remove(attempt);
    assertThat(inFlight.attempts()).isEmpty();
    assertThat(capacity.reserved()).isZero();
    assertThat(capacity.room()).isEqualTo(10);
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
    capacity.reserve(1);
    inFlight.add(first);
    inFlight.replace(first, second);
    assertThat(inFlight.attempts()).containsExactly(second);
    assertThat(capacity.reserved()).isEqualTo(1);
    inFlight.remove(first);
    assertThat(capacity.reserved()).isEqualTo(1);
    inFlight.remove(second);
    assertThat(capacity.reserved()).isZero();
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
