package dev.standpipe.internal.engine.claim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ClaimedBatch;
import dev.standpipe.internal.port.Tasks.LaneQueue;
import dev.standpipe.internal.port.Tasks.QueuePlace;
import dev.standpipe.internal.simulation.SimMachine;
import dev.standpipe.internal.simulation.SimTime;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class QueuePlacesTest {
  private static final int BUSY = 1;
  private static final int IDLE = 2;
  private static final List<Integer> LANES = List.of(BUSY, IDLE);
  private static final Duration USUAL = Duration.ofMillis(2);

  private final SimTime time = new SimTime();
  private final QueuePlaces places = new QueuePlaces(new SimMachine(time, new Random(1)));
  private long seq;

  /** A claim that takes so long; the busy lane gives all it is asked for, the idle one nothing. */
  private QueuePlace claim(Duration took) {
    List<LaneQueue> queues = places.of(LANES);
    seq++;
    ClaimedBatch batch = new ClaimedBatch(List.of(task(BUSY)), Set.of(BUSY));
    places.claimed(queues, batch, 2, took.toNanos());
    assertThat(queues.get(1)).isEqualTo(new LaneQueue(IDLE));
    return queues.get(0).from();
  }

  private Claimed task(int lane) {
    return new Claimed(new UUID(0, seq), 1, "a", 0, lane, 0, 1, 1, 0, true, seq);
  }

  /** How long until the busy lane is asked from the front again. */
  private Duration untilTheNextLook() {
    Duration passed = Duration.ZERO;
    do {
      time.pass(Duration.ofMillis(10));
      passed = passed.plusMillis(10);
    } while (!claim(USUAL).equals(QueuePlace.FRONT));
    return passed;
  }

  @Test
  void aLaneWithMoreIsReadFromItsPlace() {
    assertThat(claim(USUAL)).isEqualTo(QueuePlace.FRONT);
    assertThat(claim(USUAL)).isEqualTo(new QueuePlace(0, 1));
    assertThat(claim(USUAL)).isEqualTo(new QueuePlace(0, 2));
  }

  @Test
  void anExhaustedLaneIsReadFromTheFront() {
    claim(USUAL);
    places.claimed(places.of(LANES), ClaimedBatch.NONE, 2, 0);
    assertThat(places.of(LANES)).containsExactly(new LaneQueue(BUSY), new LaneQueue(IDLE));
  }

  @Test
  void idleLanesDoNotDelayTheLookFromTheFront() {
    claim(USUAL);
    for (int i = 0; i < 5; i++) {
      assertThat(untilTheNextLook()).isBetween(Duration.ofMillis(90), Duration.ofMillis(110));
    }
  }

  @Test
  void anUnreachedLaneStillNeedsItsLook() {
    claim(USUAL);
    time.pass(Duration.ofMillis(100));
    List<LaneQueue> queues = places.of(LANES);
    assertThat(queues.get(0).from()).isEqualTo(QueuePlace.FRONT);
    places.claimed(queues, new ClaimedBatch(List.of(task(IDLE)), Set.of(IDLE)), 1, 0);
    assertThat(places.of(LANES).get(0).from()).isEqualTo(QueuePlace.FRONT);
  }

  @Test
  void slowLooksBecomeRarerUnlessOnlyStalled() {
    claim(USUAL);
    claim(USUAL);
    time.pass(Duration.ofMillis(100));
    claim(Duration.ofSeconds(3));
    assertThat(untilTheNextLook()).isLessThan(Duration.ofMillis(150));
    for (int i = 0; i < 10; i++) {
      time.pass(Duration.ofSeconds(60));
      assertThat(claim(Duration.ofSeconds(1))).isEqualTo(QueuePlace.FRONT);
    }
    assertThat(untilTheNextLook()).isGreaterThan(Duration.ofSeconds(15));
  }
}
