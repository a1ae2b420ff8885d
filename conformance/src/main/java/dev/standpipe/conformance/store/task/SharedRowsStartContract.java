package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.ENTRY;
import static dev.standpipe.conformance.fixture.StoreFixture.PIPELINE;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.store.task.SharedRowsContract.MANY;
import static dev.standpipe.conformance.store.task.SharedRowsContract.ending;
import static dev.standpipe.conformance.store.task.SharedRowsContract.ids;
import static dev.standpipe.conformance.store.task.SharedRowsContract.many;
import static dev.standpipe.conformance.store.task.SharedRowsContract.numbered;
import static dev.standpipe.conformance.store.task.SharedRowsContract.runsOf;
import static dev.standpipe.conformance.store.task.SharedRowsContract.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.store.run.CancelContract;
import dev.standpipe.conformance.store.run.PauseContract;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Deadlines;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which of many runs that are started with one call are started, and when it is their turn. */
public interface SharedRowsStartContract extends StorePart {
  private static List<NewRun> keyed(int from, int to) {
    return many(to - from, i -> newRun("key-" + (from + i), 0, 0, null));
  }

  private static List<NewRun> within(Duration time, int count) {
    long micros = time.toNanos() / 1000;
    return many(
        count,
        i ->
            new NewRun(
                UUID.randomUUID(), null, null, 0, "{}", "{}", 0, null, micros, Followed.NOT));
  }

  private List<SettlementFate> settle(UUID owner, List<Settlement> settlements) {
    return db().store().tasks().settle(owner, settlements).fates();
  }

  @Test
  default void bulkStartedRunsAreClaimedByPriority() {
    List<NewRun> runs = many(900, i -> newRun(null, i % 3 == 2 ? i % 2 : 4 * (i % 3), 0, null));
    db().start(runs);
    List<NewRun> expected = new ArrayList<>(runs);
    expected.sort(Comparator.comparing(NewRun::priority).reversed());
    List<Claimed> claimed = db().claimAll(db().join(), 70);
    assertThat(claimed)
        .extracting(Claimed::priority)
        .isEqualTo(expected.stream().map(NewRun::priority).toList());
    assertThat(runsOf(claimed)).isEqualTo(ids(expected));
  }

  @Test
  default void bulkStartedRunsWaitTheirTurnAmongOthers() {
    UUID older = db().start();
    List<NewRun> runs = numbered(350);
    db().start(runs);
    UUID younger = db().start();
    List<NewRun> more = numbered(350);
    db().start(more);
    UUID youngest = db().start();
    NewRun urgent = newRun(null, 5, 0, null);
    db().start(List.of(urgent));
    List<UUID> claimed = runsOf(db().claimAll(db().join(), 30));
    assertThat(claimed).hasSize(704).startsWith(urgent.id(), older).endsWith(youngest);
    assertThat(claimed.get(352)).isEqualTo(younger);
    assertThat(claimed.subList(2, 352)).containsExactlyInAnyOrderElementsOf(ids(runs));
    assertThat(claimed.subList(353, 703)).containsExactlyInAnyOrderElementsOf(ids(more));
  }

  @Test
  default void runsKeepTheirPlaceWhenNeighboursStop() {
    List<NewRun> runs = numbered(MANY);
    db().start(runs);
    UUID younger = db().start();
    UUID process = db().join();
    assertThat(runsOf(db().claim(process, 30))).isEqualTo(ids(runs.subList(0, 30)));
    UUID canceled = runs.get(200).id();
    UUID paused = runs.get(340).id();
    db().store().runs().cancel(canceled, CancelContract.HOUR, CancelContract.BY_ANN);
    assertThat(db().store().runs().finishStopping(canceled)).isTrue();
    assertThat(db().store().pauses().pause(paused, PauseContract.BY_PAT)).isTrue();
    List<UUID> expected = without(ids(runs.subList(30, MANY)), List.of(canceled, paused));
    expected.add(younger);
    assertThat(runsOf(db().claimAll(process, 29)))
        .as("all before the younger, in any order: they share a place")
        .endsWith(younger)
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  default void claimsSkipScheduledAndLeasedRuns() {
    UUID starter = db().join();
    List<NewRun> runs =
        many(
            600,
            i ->
                newRun(null, 0, i % 3 == 1 ? CancelContract.HOUR : 0, i % 3 == 2 ? starter : null));
    db().start(runs);
    assertThat(db().store().tasks().held(starter)).hasSize(200);
    List<UUID> ready = IntStream.range(0, 200).mapToObj(i -> runs.get(3 * i).id()).toList();
    assertThat(runsOf(db().claimAll(db().join(), 90))).containsExactlyInAnyOrderElementsOf(ready);
    assertThat(db().store().runQueries().steps(runs.get(301).id()))
        .containsExactly(new StepInfo("a", 0, StepState.SCHEDULED, 1, 0, 0));
  }

  @Test
  default void claimsTakeEachLanesShareOfSharedRows() {
    Registered other = db().register("other");
    db().start(400);
    db().store().runs().start(other, numbered(400), List.of(ENTRY));
    UUID process = db().join();
    for (int i = 0; i < 3; i++) {
      List<Claimed> claimed =
          StoreFixture.claim(db().store(), process, 101, other.lane(), db().lane());
      assertThat(claimed).filteredOn(task -> task.lane() == other.lane()).hasSize(51);
      assertThat(claimed).filteredOn(task -> task.lane() == db().lane()).hasSize(50);
    }
    assertThat(db().claim(process, 0)).isEmpty();
  }

  @Test
  default void repeatingABulkStartWithKeysStartsNoRun() {
    List<NewRun> runs = keyed(0, 350);
    assertThat(db().start(runs)).containsExactlyInAnyOrderElementsOf(ids(runs));
    assertThat(db().start(keyed(0, 350))).isEmpty();
    UUID process = db().join();
    List<Claimed> claimed = db().claimAll(process, 80);
    assertThat(runsOf(claimed)).containsExactlyInAnyOrderElementsOf(ids(runs));
    assertThat(settle(process, ending(claimed))).containsOnly(SettlementFate.COMMITTED);
    assertThat(db().start(keyed(0, 350))).isEmpty();
    assertThat(db().claim(process, 10)).isEmpty();
  }

  @Test
  default void aBulkStartSkipsKnownKeys() {
    List<NewRun> known = keyed(0, 400);
    db().start(known);
    List<NewRun> mixed = keyed(200, 800);
    List<UUID> fresh = ids(mixed.subList(200, 600));
    assertThat(db().start(mixed)).containsExactlyInAnyOrderElementsOf(fresh);
    List<UUID> expected = new ArrayList<>(ids(known));
    expected.addAll(fresh);
    List<UUID> claimed = runsOf(db().claimAll(db().join(), 150));
    assertThat(claimed).containsExactlyInAnyOrderElementsOf(expected);
    assertThat(claimed.subList(0, 400)).containsExactlyInAnyOrderElementsOf(ids(known));
  }

  @Test
  default void aConflictingKeyRefusesTheWholeBulkStart() {
    db().start(List.of(newRun("key-170", 0, 0, null)));
    List<NewRun> runs = new ArrayList<>(keyed(0, 350));
    runs.set(170, new NewRun(UUID.randomUUID(), "key-170", "other", 0, "{}", "{}", 0, null));
    assertThatExceptionOfType(DuplicateKeyException.class).isThrownBy(() -> db().start(runs));
    assertThat(db().claimAll(db().join(), 100)).hasSize(1);
    assertThat(db().store().runQueries().find(runs.get(0).id())).isEmpty();
  }

  @Test
  default void bulkStartedRunsKeepTheirDeadlines() {
    Deadlines deadlines = db().store().deadlines();
    List<UUID> later = db().start(within(Duration.ofHours(1), 350));
    assertThat(deadlines.next().orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    List<UUID> soon = db().start(within(Duration.ofNanos(1000), 350));
    await().until(() -> deadlines.overdue(1_000).size() == 350);
    assertThat(deadlines.overdue(1_000)).containsExactlyInAnyOrderElementsOf(soon);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, 500);
    for (UUID run : soon) {
      assertThat(deadlines.expire(run, 0)).isTrue();
      assertThat(db().store().runs().finishStopping(run)).isTrue();
      RunInfo info = db().store().runQueries().find(run).orElseThrow();
      assertThat(info.status()).isEqualTo(RunStatus.HALTED);
      assertThat(info.haltReason()).contains(HaltReason.DEADLINE);
    }
    assertThat(db().claim(process, 500)).isEmpty();
    assertThat(settle(process, ending(claimed)))
        .filteredOn(fate -> fate == SettlementFate.COMMITTED)
        .hasSize(350);
    assertThat(db().store().runQueries().ended(later)).hasSize(350);
  }

  @Test
  default void theStoreReportsUnservedBulkStarts() {
    db().start(350);
    assertThat(db().store().definitions().unserved())
        .extracting(unserved -> unserved.lane(), unserved -> unserved.pipeline())
        .containsExactly(tuple(db().lane(), PIPELINE));
  }
}
