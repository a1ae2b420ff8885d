package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.ENTRY;
import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ClaimedBatch;
import dev.standpipe.internal.port.Tasks.LaneQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claiming tasks. */
public interface ClaimContract extends StorePart {
  @Test
  default void aClaimTellsEverythingAboutItsTask() {
    UUID process = db().join();
    NewRun run = newRun(null, 7, 0, null);
    db().start(List.of(run));
    assertThat(db().claim(process, 1))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("seq")
        .containsExactly(new Claimed(run.id(), 1, "a", 0, db().lane(), 7, 1, 1, 0, true, 0));
  }

  /** Lanes that have so many ready tasks each. */
  private List<Integer> lanes(int... ready) {
    List<Integer> lanes = new ArrayList<>();
    for (int tasks : ready) {
      String name = "lane" + lanes.size();
      Registered lane = db().register(name);
      for (int i = 0; i < tasks; i++) {
        db().store().runs().start(lane, List.of(newRun()), List.of(ENTRY));
      }
      lanes.add(lane.lane());
    }
    return lanes;
  }

  private ClaimedBatch claim(List<Integer> lanes, int limit) {
    List<LaneQueue> queues = lanes.stream().map(LaneQueue::new).toList();
    return db().store().tasks().claim(db().join(), queues, limit);
  }

  /** How many tasks each of these lanes gave. */
  private static List<Integer> given(List<Integer> lanes, ClaimedBatch batch) {
    List<Integer> all = batch.tasks().stream().map(Claimed::lane).toList();
    return lanes.stream().map(lane -> Collections.frequency(all, lane)).toList();
  }

  @Test
  default void lanesShareTheClaimLimitEvenly() {
    List<Integer> lanes = lanes(10, 10, 10);
    ClaimedBatch batch = claim(lanes, 8);
    assertThat(given(lanes, batch)).containsExactly(3, 3, 2);
    assertThat(batch.more()).containsExactlyInAnyOrderElementsOf(lanes);
    Collections.reverse(lanes);
    assertThat(given(lanes, claim(lanes, 7))).containsExactly(3, 2, 2);
    assertThat(claim(lanes, 0)).isEqualTo(ClaimedBatch.NONE);
    assertThat(claim(List.of(), 10)).isEqualTo(ClaimedBatch.NONE);
  }

  @Test
  default void lanesWithoutWorkTakeNothingOfTheLimit() {
    int[] ready = new int[40];
    ready[17] = 20;
    List<Integer> lanes = lanes(ready);
    ClaimedBatch batch = claim(lanes, 16);
    assertThat(given(lanes, batch).get(17)).isEqualTo(16);
    assertThat(batch.more()).containsExactly(lanes.get(17));
    batch = claim(lanes, 16);
    assertThat(batch.tasks()).hasSize(4);
    assertThat(batch.more()).isEmpty();
  }

  @Test
  default void aLaneBelowItsShareHasNoMore() {
    List<Integer> lanes = lanes(20, 1);
    ClaimedBatch batch = claim(lanes, 10);
    assertThat(given(lanes, batch)).containsExactly(5, 1);
    assertThat(batch.more()).containsExactly(lanes.get(0));
  }

  @Test
  default void aSmallLimitTakesOneTaskPerLane() {
    List<Integer> lanes = lanes(2, 0, 2, 2, 2);
    ClaimedBatch batch = claim(lanes, 3);
    assertThat(given(lanes, batch)).containsExactly(1, 0, 1, 1, 0);
    assertThat(batch.more()).hasSize(3);
  }

  @Test
  default void promotedTasksAreClaimedInDueOrder() {
    List<NewRun> runs = new ArrayList<>();
    for (int i = 0; i < 10; i++) { // so far apart that a stall while they start cannot swap them
      runs.add(newRun(null, 0, 1_000_000 - 100_000 * i, null));
    }
    db().start(runs);
    await().pollDelay(Duration.ofMillis(1_100)).until(() -> true);
    assertThat(db().store().tasks().promote(100)).isEqualTo(10);
    Collections.reverse(runs);
    assertThat(db().claim(db().join(), 10))
        .extracting(Claimed::run)
        .containsExactlyElementsOf(runs.stream().map(NewRun::id).toList());
  }

  @Test
  default void higherPrioritiesComeFirstAndThenTheLongestWaiting() {
    long seed = System.nanoTime();
    System.out.println("higherPrioritiesComeFirst: seed " + seed);
    Random random = new Random(seed);
    List<NewRun> runs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      NewRun run = newRun(null, random.nextInt(3) - 1, 0, null);
      runs.add(run);
      db().start(List.of(run));
    }
    List<UUID> expected = new ArrayList<>();
    for (int priority = 1; priority >= -1; priority--) {
      for (NewRun run : runs) {
        if (run.priority() == priority) {
          expected.add(run.id());
        }
      }
    }
    UUID process = db().join();
    List<UUID> order = new ArrayList<>();
    while (order.size() < runs.size()) {
      db().claim(process, 7).forEach(task -> order.add(task.run()));
    }
    assertThat(order).isEqualTo(expected);
  }

  @Test
  default void runsStartedTogetherAreClaimedInTheirOrder() {
    List<NewRun> runs = Stream.generate(StoreFixture::newRun).limit(100).toList();
    db().start(runs);
    assertThat(db().claim(db().join(), 100))
        .extracting(Claimed::run)
        .isEqualTo(runs.stream().map(NewRun::id).toList());
  }

  @Test
  default void aReleasedTaskGoesToTheEndOfTheQueue() {
    UUID process = db().join();
    List<UUID> runs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      runs.add(db().start());
    }
    Claimed first = db().claim(process, 1).get(0);
    db().settle(process, released(first));
    assertThat(db().claim(process, 3))
        .extracting(Claimed::run)
        .containsExactly(runs.get(1), runs.get(2), runs.get(0));
  }

  @Test
  default void aLeasedTaskIsNotClaimedAgain() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().claim(process, 10)).isEmpty();
    assertThat(db().claim(db().join(), 10)).isEmpty();
    assertThat(db().store().tasks().held(process)).containsExactly(task.ref());
  }

  @Test
  default void everyClaimRaisesTheToken() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    for (int i = 0; i < 5; i++) {
      db().settle(process, released(task));
      Claimed again = db().claim(process);
      assertThat(again.token()).isEqualTo(task.token() + 1);
      assertThat(again.attempt()).isEqualTo(1);
      task = again;
    }
  }

  @Test
  default void aHaltingRunsTaskIsClaimedAsNotRunning() {
    UUID process = db().join();
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2));
    db().store().runs().start(db().definition(), List.of(newRun()), entries);
    Claimed one = db().claim(process, 1).get(0);
    assertThat(one.running()).isTrue();
    db().settle(process, failed(one));
    assertThat(db().claim(process).running()).isFalse();
  }

  @Test
  default void racingClaimersTakeEachTaskOnce() {
    for (int i = 0; i < 10; i++) {
      db().start(1_000);
    }
    UUID process = db().join();
    List<TaskRef> all = new ArrayList<>();
    Racers.race(
            4,
            number -> {
              Store store = db().another();
              List<TaskRef> mine = new ArrayList<>();
              List<Claimed> claimed;
              do {
                claimed = StoreFixture.claim(store, process, 37, db().lane());
                claimed.forEach(task -> mine.add(task.ref()));
              } while (!claimed.isEmpty());
              return mine;
            })
        .forEach(all::addAll);
    assertThat(all).hasSize(10_000).doesNotHaveDuplicates().allMatch(held -> held.token() == 1);
    assertThat(db().store().tasks().held(process)).containsExactlyInAnyOrderElementsOf(all);
  }

  /** It may not have noticed yet. What is ready waits for others, with the token it had. */
  @Test
  default void aReapedProcessClaimsNothing() {
    UUID alive = db().join();
    UUID reaped = db().join();
    db().store().processes().reapNow(reaped);
    UUID run = db().start();
    assertThat(db().claim(reaped, 10)).isEmpty();
    assertThat(db().claim(UUID.randomUUID(), 10)).isEmpty();
    assertThat(db().claim(alive, 10))
        .singleElement()
        .satisfies(task -> assertThat(task.run()).isEqualTo(run))
        .satisfies(task -> assertThat(task.token()).isEqualTo(1));
  }

  @Test
  default void aReapedProcessClaimsNoSharedRows() {
    UUID alive = db().join();
    UUID reaped = db().join();
    db().store().processes().reapNow(reaped);
    db().start(300);
    assertThat(db().claim(reaped, 10)).isEmpty();
    assertThat(db().claimAll(alive, 100)).hasSize(300);
  }
}
