package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.engine.loop.Machine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CapacityTest {
  private final Capacity capacity = new Capacity(10, 100, Machine.REAL);
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void anIdleProcessMayHoldOneTaskPerBody() {
    assertThat(capacity.limit()).isEqualTo(10);
    assertThat(capacity.room()).isEqualTo(10);
    assertThat(capacity.reserved()).isZero();
  }

  @Test
  void roomIsReservedUpToTheLimit() {
    assertThat(capacity.reserve(4)).isEqualTo(4);
    assertThat(capacity.room()).isEqualTo(6);
    assertThat(capacity.reserve(100)).isEqualTo(6);
    assertThat(capacity.reserve(1)).isZero();
    capacity.unreserve(3);
    assertThat(capacity.room()).isEqualTo(3);
    capacity.unreserve(7);
    assertThat(capacity.room()).isEqualTo(10);
  }

  @Test
  void aLoneSuspectBlocksFurtherClaims() {
    capacity.reserveBeyond(1);
    capacity.setApart(true);
    assertThat(capacity.reserve(1)).isZero();
    assertThat(capacity.mayKeep()).isFalse();
    capacity.setApart(false);
    assertThat(capacity.reserve(20)).isEqualTo(9);
    capacity.reserveBeyond(1);
    assertThat(capacity.reserved()).as("one more than the limit").isEqualTo(11);
  }

  @Test
  void aFastProcessMayHoldMoreUpToACap() {
    while (capacity.limit() == 10) {
      capacity.settled(1_000_000);
    }
    assertThat(capacity.limit()).isEqualTo(10 + 5 * 100);
  }

  @Test
  void aFullProcessKeepsNextStepsUntilItCloses() {
    capacity.reserve(10);
    assertThat(capacity.mayKeep()).isTrue();
    capacity.close();
    assertThat(capacity.mayKeep()).isFalse();
  }

  @Test
  void aClosedProcessReservesNoRoom() {
    capacity.reserve(2);
    capacity.close();
    assertThat(capacity.limit()).isZero();
    assertThat(capacity.room()).isZero();
    assertThat(capacity.reserve(1)).isZero();
    assertThat(capacity.reserved()).isEqualTo(2);
  }

  @Test
  void racingThreadsNeverReserveTooMuch() throws Exception {
    for (int round = 0; round < 2_000; round++) {
      Capacity contested = new Capacity(10, 100, Machine.REAL);
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
      assertThat(contested.reserved()).isEqualTo(10);
    }
  }
}
