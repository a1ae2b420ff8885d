package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ResultKey;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Expands of more elements than their process keeps: the tasks of the rest may share rows. */
public interface WideExpandContract extends StorePart {
  /** The id of the first element's task. */
  int FIRST = 100;

  /** Ends an expand with so many elements, the first few of which its owner keeps. */
  private void expand(UUID owner, Claimed task, int elements, int kept) {
    db().settle(
            owner,
            Success.expand(task, elements)
                .starts(new NewTasks("item", FIRST, 0, elements, kept))
                .settlement());
  }

  private Claimed expand(UUID owner, int elements, int kept) {
    Claimed task = db().startAndClaim(owner);
    expand(owner, task, elements, kept);
    return task;
  }

  private static List<Integer> range(int from, int to) {
    return IntStream.range(from, to).boxed().toList();
  }

  @Test
  default void wideExpandElementsAreClaimedOnceInOrder() {
    UUID process = db().join();
    Claimed task = expand(process, 2_345, 7);
    List<Claimed> claimed = db().claimAll(process, 400);
    assertThat(claimed).extracting(Claimed::index).isEqualTo(range(7, 2_345));
    assertThat(claimed)
        .allSatisfy(
            item -> {
              assertThat(item.run()).isEqualTo(task.run());
              assertThat(item.id()).isEqualTo(FIRST + item.index());
              assertThat(item.node()).isEqualTo("item");
              assertThat(item.token()).isEqualTo(1);
              assertThat(item.attempt()).isEqualTo(1);
              assertThat(item.crashes()).isZero();
              assertThat(item.running()).isTrue();
            });
    assertThat(db().store().tasks().held(process))
        .hasSize(2_345)
        .contains(new TaskRef(task.run(), FIRST, 1), new TaskRef(task.run(), FIRST + 2_344, 1));
    claimed.forEach(item -> db().settle(process, Success.of(item).settlement()));
    assertThat(db().store().tasks().held(process)).hasSize(7);
  }

  @Test
  default void readingManyValuesReturnsNullForMissingElements() {
    UUID process = db().join();
    Claimed task = expand(process, 300, 0);
    List<ResultKey> keys = new ArrayList<>();
    range(290, 330).forEach(i -> keys.add(new ResultKey(task.run(), "a", i)));
    range(0, 60).forEach(i -> keys.add(new ResultKey(task.run(), "a", i)));
    List<String> expected = new ArrayList<>();
    range(290, 300).forEach(i -> expected.add(Success.valueOf("a", i)));
    range(300, 330).forEach(i -> expected.add(null));
    range(0, 60).forEach(i -> expected.add(Success.valueOf("a", i)));
    assertThat(db().store().tasks().values(keys)).isEqualTo(expected);
  }

  @Test
  default void racingClaimersTakeEachElementOnce() {
    UUID process = db().join();
    expand(process, 5_000, 0);
    AtomicInteger left = new AtomicInteger(5_000);
    List<Claimed> all = new ArrayList<>();
    Racers.race(
            4,
            number -> {
              Store store = db().another();
              List<Claimed> mine = new ArrayList<>();
              while (left.get() > 0) {
                List<Claimed> claimed = StoreFixture.claim(store, process, 37, db().lane());
                left.addAndGet(-claimed.size());
                mine.addAll(claimed);
              }
              return mine;
            })
        .forEach(all::addAll);
    assertThat(all).extracting(Claimed::index).doesNotHaveDuplicates().hasSize(5_000);
    assertThat(db().store().tasks().held(process)).hasSize(5_000);
  }

  @Test
  default void elementsWaitTheirTurnAmongOtherRuns() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    UUID older = db().start();
    expand(process, task, 200, 0);
    UUID younger = db().start();
    NewRun urgent = newRun(null, 5, 0, null);
    db().start(List.of(urgent));
    List<UUID> expected = new ArrayList<>(List.of(urgent.id(), older));
    range(0, 200).forEach(i -> expected.add(task.run()));
    expected.add(younger);
    List<Claimed> claimed = db().claimAll(process, 30);
    assertThat(claimed).extracting(Claimed::run).isEqualTo(expected);
    assertThat(claimed.subList(2, 202)).extracting(Claimed::index).isEqualTo(range(0, 200));
  }

  @Test
  default void claimsTakeEachLanesShareOfElements() {
    Registered other = db().register("other");
    UUID process = db().join();
    expand(process, 500, 0);
    db().store().runs().start(other, List.of(newRun()), List.of(StoreFixture.ENTRY));
    Claimed task = StoreFixture.claim(db().store(), process, 1, other.lane()).get(0);
    expand(process, task, 500, 0);
    List<Claimed> claimed =
        StoreFixture.claim(db().store(), process, 51, other.lane(), db().lane());
    assertThat(claimed).filteredOn(item -> item.lane() == other.lane()).hasSize(26);
    assertThat(claimed).filteredOn(item -> item.lane() == db().lane()).hasSize(25);
    assertThat(db().claim(process, 0)).isEmpty();
  }

  @Test
  default void elementsOfAPausedRunWaitForItsResume() {
    UUID process = db().join();
    Claimed task = expand(process, 500, 0);
    assertThat(db().claim(process, 100)).hasSize(100);
    Audited pat = new Audited("pat", "the press is hot");
    assertThat(db().store().pauses().pause(task.run(), pat)).isTrue();
    assertThat(db().claimAll(process, 100)).isEmpty();
    assertThat(db().store().pauses().resume(task.run(), pat)).isTrue();
    assertThat(db().claimAll(process, 100)).extracting(Claimed::index).isEqualTo(range(100, 500));
  }

  @Test
  default void aHaltDropsWaitingElements() {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("c", 2));
    db().store().runs().start(db().definition(), List.of(newRun()), entries);
    UUID process = db().join();
    List<Claimed> tasks = db().claim(process, 2);
    expand(process, tasks.get(0), 500, 0);
    db().settle(process, failed(tasks.get(1)));
    assertThat(db().claim(process, 1)).extracting(Claimed::running).containsExactly(false);
    assertThat(db().store().runs().finishStopping(tasks.get(0).run())).isFalse();
    assertThat(db().query("select state from standpipe.task where state <> 4"))
        .containsExactly("1");
  }

  @Test
  default void elementsWithoutOwnRowsCountAsReadyAndLive() {
    UUID process = db().join();
    Claimed task = expand(process, 500, 3);
    db().claim(process, 40);
    List<StepInfo> steps = db().store().runQueries().steps(task.run());
    assertThat(steps).filteredOn(step -> step.state() == StepState.LEASED).hasSize(43);
    assertThat(steps)
        .filteredOn(step -> step.state() == StepState.READY)
        .extracting(StepInfo::index, StepInfo::token)
        .containsExactlyElementsOf(range(43, 500).stream().map(index -> tuple(index, 0L)).toList());
    assertThat(db().store().tasks().live(task.run(), List.of("item"), 1_000)).isEqualTo(500);
    assertThat(db().store().tasks().live(task.run(), List.of("item"), 100)).isEqualTo(100);
  }

  @Test
  default void reapingChargesOnlyTheClaimedElements() {
    UUID first = db().join();
    expand(first, 500, 0);
    assertThat(db().claim(first, 50)).hasSize(50);
    db().store().processes().reapNow(first);
    List<Claimed> claimed = db().claimAll(db().join(), 100);
    assertThat(claimed)
        .extracting(Claimed::index)
        .containsExactlyInAnyOrderElementsOf(range(0, 500));
    assertThat(claimed)
        .allSatisfy(
            item -> {
              boolean had = item.index() < 50;
              assertThat(item.crashes()).isEqualTo(had ? 1 : 0);
              assertThat(item.token()).isEqualTo(had ? 2 : 1);
            });
  }
}
