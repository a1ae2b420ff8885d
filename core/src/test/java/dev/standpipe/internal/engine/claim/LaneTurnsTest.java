package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTurnsTest {
  private static final List<Integer> LANES = IntStream.rangeClosed(1, 10).boxed().toList();

  private final LaneTurns turns = new LaneTurns(new UUID(0, 0));

  private static List<Claimed> oneOfEach(List<Integer> lanes) {
    return lanes.stream()
        .map(lane -> new Claimed(new UUID(0, lane), 1, "a", 0, lane, 0, 1, 1, 0, true, lane))
        .toList();
  }

  @Test
  void everyLaneIsAskedOnce() {
    assertThat(turns.order(LANES)).containsExactlyInAnyOrderElementsOf(LANES);
  }

  @Test
  void everyBusyLaneGetsATurnBeforeASecondTurn() {
    List<Integer> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      List<Integer> order = turns.order(LANES);
      List<Integer> first = order.subList(0, 2);
      asked.addAll(first);
      turns.claimed(order, oneOfEach(first), 2);
    }
    assertThat(asked).containsExactlyInAnyOrderElementsOf(LANES);
  }

  @Test
  void busyLanesTakeTurnsAtBeingFirst() {
    Set<Integer> first = new HashSet<>();
    List<Integer> busy = List.of(3, 4, 9);
    for (int i = 0; i < 3; i++) {
      List<Integer> order = turns.order(LANES);
      first.add(order.stream().filter(busy::contains).findFirst().orElseThrow());
      turns.claimed(order, oneOfEach(busy), 16);
    }
    assertThat(first).containsExactlyInAnyOrderElementsOf(busy);
  }

  @Test
  void aRemovedLaneDoesNotResetTheTurns() {
    List<Integer> order = turns.order(LANES);
    turns.claimed(order, oneOfEach(List.of(5)), 1);
    assertThat(turns.order(List.of(2, 4, 6, 8))).containsExactly(6, 8, 2, 4);
  }

  @Test
  void processesBeginAtDifferentLanes() {
    Random random = new Random(1);
    Set<Integer> first = new HashSet<>();
    for (int i = 0; i < 200; i++) {
      UUID process = new UUID(random.nextLong(), random.nextLong());
      first.add(new LaneTurns(process).order(LANES).get(0));
    }
    assertThat(first).containsExactlyInAnyOrderElementsOf(LANES);
  }
}
