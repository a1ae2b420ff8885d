package dev.standpipe.conformance.store.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.store.run.PauseContract;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Definitions.DefinitionInUse;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many runs that are started with one call: their first tasks may share rows. */
public interface SharedRowsContract extends StorePart {
  int MANY = 350;

  static List<NewRun> many(int count, IntFunction<NewRun> each) {
    return IntStream.range(0, count).mapToObj(each).toList();
  }

  /** Runs each of which has its number for its input. */
  static List<NewRun> numbered(int count) {
    return many(
        count, i -> new NewRun(UUID.randomUUID(), null, null, 0, "{}", String.valueOf(i), 0, null));
  }

  static List<UUID> ids(List<NewRun> runs) {
    return runs.stream().map(NewRun::id).toList();
  }

  static List<UUID> runsOf(List<Claimed> tasks) {
    return tasks.stream().map(Claimed::run).toList();
  }

  static List<Settlement> ending(List<Claimed> tasks) {
    return tasks.stream().map(task -> Success.of(task).endsRun().settlement()).toList();
  }

  static <T> List<T> without(List<T> all, List<T> some) {
    List<T> rest = new ArrayList<>(all);
    rest.removeAll(some);
    return rest;
  }

  private static Claimed follower(Claimed task) {
    return new Claimed(
        task.run(), 1, "b", 0, task.lane(), 0, task.token() + 1, 1, 0, true, task.seq());
  }

  private List<SettlementFate> settle(UUID owner, List<Settlement> settlements) {
    return db().store().tasks().settle(owner, settlements).fates();
  }

  private void assertAllSucceeded(List<UUID> runs) {
    assertThat(db().store().runQueries().ended(runs)).containsExactlyInAnyOrderElementsOf(runs);
    for (UUID run : List.of(runs.get(0), runs.get(runs.size() / 2), runs.get(runs.size() - 1))) {
      assertThat(db().store().runQueries().find(run).orElseThrow().status())
          .isEqualTo(RunStatus.SUCCEEDED);
    }
  }

  @Test
  default void runsOnSharedRowsAreClaimedOnceInOrder() {
    List<NewRun> runs = numbered(2_345);
    assertThat(db().start(runs)).containsExactlyInAnyOrderElementsOf(ids(runs));
    UUID process = db().join();
    List<Claimed> claimed = db().claimAll(process, 400);
    assertThat(claimed)
        .allSatisfy(
            task -> {
              assertThat(task.id()).isEqualTo(1);
              assertThat(task.node()).isEqualTo("a");
              assertThat(task.index()).isZero();
              assertThat(task.lane()).isEqualTo(db().lane());
              assertThat(task.token()).isEqualTo(1);
              assertThat(task.attempt()).isEqualTo(1);
              assertThat(task.crashes()).isZero();
              assertThat(task.running()).isTrue();
            });
    assertThat(db().store().tasks().held(process))
        .containsExactlyInAnyOrderElementsOf(
            ids(runs).stream().map(run -> new TaskRef(run, 1, 1)).toList());
    assertThat(runsOf(claimed)).isEqualTo(ids(runs));
  }

  @Test
  default void runsOnSharedRowsKeepTheirOwnInputs() {
    List<NewRun> runs = numbered(1_200);
    db().start(runs);
    Map<UUID, String> inputs =
        runs.stream().collect(Collectors.toMap(NewRun::id, run -> String.valueOf(run.input())));
    assertThat(db().claimAll(db().join(), 170))
        .allSatisfy(task -> assertThat(task.input()).isIn(null, inputs.get(task.run())));
    List<ResultKey> keys = ids(runs).stream().map(run -> new ResultKey(run, "$input", 0)).toList();
    assertThat(db().store().tasks().values(keys))
        .isEqualTo(runs.stream().map(NewRun::input).toList());
  }

  @Test
  default void aBatchSettlesAWholeClaimOnce() {
    List<UUID> runs = db().start(850);
    UUID process = db().join();
    for (int i = 0; i < 3; i++) {
      List<Settlement> batch = ending(db().claim(process, 300));
      assertThat(db().store().tasks().recorded(batch)).containsOnly(false);
      assertThat(settle(process, batch))
          .containsOnly(SettlementFate.COMMITTED)
          .hasSameSizeAs(batch);
      assertThat(db().store().tasks().recorded(batch)).containsOnly(true);
      assertThat(settle(process, batch)).containsOnly(SettlementFate.STALE).hasSameSizeAs(batch);
    }
    assertThat(db().claim(process, 300)).isEmpty();
    assertThat(db().store().tasks().held(process)).isEmpty();
    assertAllSucceeded(runs);
  }

  @Test
  default void claimedTasksSettleOneByOneInAnyOrder() {
    List<UUID> runs = db().start(350);
    UUID process = db().join();
    List<Claimed> claimed = new ArrayList<>(db().claimAll(process, 200));
    Collections.reverse(claimed);
    for (Claimed task : claimed) {
      Settlement last = Success.of(task).endsRun().settlement();
      assertThat(db().fate(process, last)).isEqualTo(SettlementFate.COMMITTED);
      assertThat(db().fate(process, last)).isEqualTo(SettlementFate.STALE);
    }
    assertThat(db().store().tasks().held(process)).isEmpty();
    assertAllSucceeded(runs);
  }

  @Test
  default void onlyTheLeaseHolderSettlesATask() {
    db().start(350);
    UUID process = db().join();
    UUID stranger = db().join();
    List<Claimed> claimed = db().claim(process, 200);
    assertThat(settle(stranger, ending(claimed))).containsOnly(SettlementFate.STALE);
    db().settle(process, StoreFixture.released(claimed.get(7)));
    List<SettlementFate> fates = settle(process, ending(claimed));
    assertThat(fates.get(7)).isEqualTo(SettlementFate.STALE);
    assertThat(fates).filteredOn(fate -> fate == SettlementFate.COMMITTED).hasSize(199);
    assertThat(db().claimAll(process, 100))
        .hasSize(151)
        .filteredOn(task -> task.token() == 2)
        .extracting(Claimed::run)
        .containsExactly(claimed.get(7).run());
  }

  @Test
  default void nextStepsStayLeasedOrBecomeReady() {
    List<UUID> runs = db().start(350);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, 1_000);
    List<Settlement> batch = new ArrayList<>();
    for (int i = 0; i < claimed.size(); i++) {
      batch.add(Success.of(claimed.get(i)).next("b", i % 2 == 0).settlement());
    }
    assertThat(settle(process, batch.subList(0, 300))).containsOnly(SettlementFate.COMMITTED);
    batch
        .subList(300, 350)
        .forEach(one -> assertThat(db().fate(process, one)).isEqualTo(SettlementFate.COMMITTED));
    assertThat(db().store().tasks().held(process))
        .hasSize(175)
        .contains(
            new TaskRef(claimed.get(0).run(), 1, 2), new TaskRef(claimed.get(348).run(), 1, 2));
    List<Claimed> kept =
        IntStream.range(0, 175).mapToObj(i -> follower(claimed.get(2 * i))).toList();
    assertThat(settle(process, ending(kept))).containsOnly(SettlementFate.COMMITTED);
    UUID other = db().join();
    List<Claimed> left = db().claimAll(other, 60);
    assertThat(left)
        .hasSize(175)
        .extracting(Claimed::node, Claimed::token, Claimed::attempt, Claimed::crashes)
        .containsOnly(tuple("b", 3L, 1, 0));
    assertThat(settle(other, ending(left))).containsOnly(SettlementFate.COMMITTED);
    assertAllSucceeded(runs);
  }

  @Test
  default void endedRunsWithFollowUpsAreMarked() {
    List<NewRun> runs =
        many(
            MANY,
            i ->
                new NewRun(
                    UUID.randomUUID(),
                    null,
                    null,
                    0,
                    "{}",
                    "{}",
                    0,
                    null,
                    i % 100 == 0 ? Followed.YES : Followed.NOT));
    List<UUID> followed = List.of(0, 100, 200, 300).stream().map(i -> runs.get(i).id()).toList();
    db().start(runs);
    UUID process = db().join();
    List<Claimed> claimed = db().claimAll(process, MANY);
    assertThat(db().store().tasks().settle(process, ending(claimed)).followed()).isTrue();
    assertThat(db().store().runEnds().ended(MANY)).containsExactlyInAnyOrderElementsOf(followed);
  }

  @Test
  default void aBatchMayExpandSomeRunsAndEndOthers() {
    List<UUID> runs = db().start(300);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, 300);
    List<Settlement> batch = new ArrayList<>(ending(claimed.subList(0, 150)));
    for (Claimed task : claimed.subList(150, 300)) {
      Success fan = Success.of(task).starts(new NewTasks("x", 10, 0, 2, 1));
      batch.add(fan.bumps(new Bump(Bump.END, 2, 0, 0, false)).settlement());
    }
    Collections.shuffle(batch);
    assertThat(settle(process, batch)).containsOnly(SettlementFate.COMMITTED);
    assertThat(db().store().tasks().held(process)).hasSize(150);
    List<Claimed> second = db().claimAll(process, 100);
    assertThat(second).hasSize(150).allMatch(task -> task.node().equals("x") && task.index() == 1);
    Bump arrival = new Bump(Bump.END, 2, -1, 0, false);
    for (Claimed task : second) {
      Claimed first =
          new Claimed(task.run(), 10, "x", 0, task.lane(), 0, 1, 1, 0, true, task.seq());
      assertThat(
              settle(
                  process,
                  List.of(
                      Success.of(first).bumps(arrival).settlement(),
                      Success.of(task).bumps(arrival).settlement())))
          .containsOnly(SettlementFate.COMMITTED);
    }
    assertAllSucceeded(runs);
  }

  @Test
  default void stepsGoFromReadyToLeasedToSucceeded() {
    List<UUID> runs = db().start(1_500);
    List<UUID> some = List.of(runs.get(0), runs.get(700), runs.get(1_000), runs.get(1_499));
    UUID process = db().join();
    assertSteps(some, StepState.READY, 0);
    List<Claimed> claimed = db().claimAll(process, 1_000);
    assertSteps(some, StepState.LEASED, 1);
    assertThat(settle(process, ending(claimed))).containsOnly(SettlementFate.COMMITTED);
    assertSteps(some, StepState.SUCCEEDED, 1);
  }

  private void assertSteps(List<UUID> runs, StepState state, long token) {
    for (UUID run : runs) {
      assertThat(db().store().runQueries().steps(run))
          .containsExactly(new StepInfo("a", 0, state, 1, 0, token));
    }
  }

  @Test
  default void runsOnSharedRowsStayInFlightUntilTheyEnd() {
    assertThat(db().store().definitions().inFlight()).isEmpty();
    List<UUID> runs = db().start(1_250);
    assertInFlight(1_250);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, 400);
    assertInFlight(1_250);
    settle(process, ending(claimed.subList(0, 150)));
    assertInFlight(1_100);
    settle(process, ending(claimed));
    assertInFlight(850);
    db().store().pauses().pause(runs.get(1_200), PauseContract.BY_PAT);
    assertInFlight(850);
  }

  private void assertInFlight(long runs) {
    assertThat(db().store().definitions().inFlight())
        .extracting(inFlight -> inFlight.definition().lane(), DefinitionInUse::runs)
        .containsExactly(tuple(db().lane(), runs));
  }
}
