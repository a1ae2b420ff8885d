package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.error;
import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static dev.standpipe.conformance.fixture.StoreFixture.snoozed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.internal.port.Tasks.Waited;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Settling tasks, and what refuses to be settled. */
public interface SettleContract extends StorePart {
  @Test
  default void aChainHandsItsTaskOnUnderANewToken() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, Success.of(task).next("b", true).settlement()))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().value(task.run(), "a", 0))
        .contains(Success.valueOf("a", 0));
    assertThat(db().store().tasks().held(process)).containsExactly(new TaskRef(task.run(), 1, 2));
    assertThat(db().store().runQueries().steps(task.run()))
        .containsExactly(
            new StepInfo("a", 0, StepState.SUCCEEDED, 1, 0, 1),
            new StepInfo("b", 0, StepState.LEASED, 1, 0, 2));
  }

  @Test
  default void aChainMayLeaveItsNextStepReady() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.of(task).next("b", false).settlement());
    assertThat(db().store().tasks().held(process)).isEmpty();
    UUID other = db().join();
    assertThat(db().claim(other))
        .usingRecursiveComparison()
        .ignoringFields("seq")
        .isEqualTo(new Claimed(task.run(), 1, "b", 0, db().lane(), 0, 3, 1, 0, true, 0));
  }

  @Test
  default void theLastStepEndsItsRunAndLeavesNoTask() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().settle(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(new Reply(List.of(SettlementFate.COMMITTED), List.of()));
    RunInfo run = db().store().runQueries().find(task.run()).orElseThrow();
    assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.finishedAt().orElseThrow()).isAfterOrEqualTo(run.createdAt());
    assertThat(db().store().runQueries().ended(List.of(task.run()))).containsExactly(task.run());
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void anExpandLeasesItsFirstElements() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(
            process,
            Success.expand(task, 5).starts(new NewTasks("item", 100, 0, 5, 2)).settlement());
    assertThat(db().store().tasks().held(process))
        .containsExactlyInAnyOrder(
            new TaskRef(task.run(), 100, 1), new TaskRef(task.run(), 101, 1));
    assertThat(db().claim(process, 10))
        .extracting(Claimed::id, Claimed::node, Claimed::index, Claimed::token)
        .containsExactly(
            tuple(102L, "item", 2, 1L), tuple(103L, "item", 3, 1L), tuple(104L, "item", 4, 1L));
    assertThat(db().elements(task.run(), "a"))
        .containsExactly(
            Success.valueOf("a", 0),
            Success.valueOf("a", 1),
            Success.valueOf("a", 2),
            Success.valueOf("a", 3),
            Success.valueOf("a", 4));
  }

  @Test
  default void severalRangesOfTasksStartAtOnce() {
    UUID process = db().join();
    List<UUID> runs = db().start(3);
    Settlement[] batch =
        db().claim(process, 3).stream()
            .map(
                task ->
                    Success.of(task)
                        .starts(new NewTasks("x", 10, 0, 1, 1))
                        .starts(new NewTasks("y", 20, 3, 4, 0))
                        .starts(new NewTasks("z", 30, 0, 0, 0))
                        .settlement())
            .toArray(Settlement[]::new);
    assertThat(db().settle(process, batch).fates()).containsOnly(SettlementFate.COMMITTED);
    assertThat(db().query("select node, idx, id, state from standpipe.task order by node, idx, id"))
        .hasSize(15)
        .contains("x|0|10|1", "y|3|20|0", "y|4|21|0", "y|5|22|0", "y|6|23|0");
    assertThat(runs).hasSize(3);
  }

  @Test
  default void aRetryIsScheduledAsTheNextAttempt() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, retried(task, Duration.ofMillis(50))))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().steps(task.run()))
        .containsExactly(new StepInfo("a", 0, StepState.SCHEDULED, 2, 0, 1));
    AttemptInfo attempt = db().store().runQueries().attempts(task.run()).get(0);
    assertThat(attempt.outcome()).isEqualTo(AttemptOutcome.FAILED);
    assertThat(attempt.error()).contains(error());
    assertThat(attempt.attempt()).isEqualTo(1);
    assertThat(attempt.token()).isEqualTo(task.token());
    assertThat(attempt.process()).isEqualTo(process);
    assertThat(attempt.elapsed()).isEqualTo(Duration.ofNanos(1_500_000));

    await().until(() -> db().store().tasks().promote(1) == 1);
    Claimed again = db().claim(process);
    assertThat(again.attempt()).isEqualTo(2);
    assertThat(again.token()).isEqualTo(task.token() + 1);
  }

  @Test
  default void aRetryWithoutDelayIsReadyAtOnce() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, retried(task, Duration.ZERO));
    assertThat(db().claim(process).attempt()).isEqualTo(2);
  }

  @Test
  default void aReleasedTaskIsReadyAndUncounted() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, released(task))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().steps(task.run()))
        .containsExactly(new StepInfo("a", 0, StepState.READY, 1, 0, task.token()));
    assertThat(db().store().runQueries().attempts(task.run())).isEmpty();
  }

  @Test
  default void aTokenSufficesToReleaseATask() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, retried(task, Duration.ZERO));
    Claimed again = db().claim(process);
    Claimed known = new Claimed(task.run(), 1, "?", 9, 0, 0, again.token(), 1, 0, true, 0);
    assertThat(db().fate(process, released(known))).isEqualTo(SettlementFate.COMMITTED);
    Claimed back = db().claim(process);
    assertThat(back.node()).isEqualTo("a");
    assertThat(back.index()).isZero();
    assertThat(back.attempt()).isEqualTo(2);
  }

  @Test
  default void anOldTokenChangesNothing() {
    UUID process = db().join();
    Claimed old = db().startAndClaim(process);
    db().settle(process, released(old));
    db().claim(process);
    refusesAll(process, old);
  }

  @Test
  default void aStrangerChangesNothing() {
    Claimed task = db().startAndClaim(db().join());
    refusesAll(db().join(), task);
  }

  @Test
  default void theOldOwnerCannotSettleAReapedTask() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().store().processes().reapNow(process);
    refusesAll(process, task);
    db().claim(db().join());
    refusesAll(process, task);
  }

  @Test
  default void aSettledTaskCannotBeSettledAgain() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.of(task).next("b", true).settlement());
    refusesAll(process, task);
    Claimed last = new Claimed(task.run(), 1, "b", 0, db().lane(), 0, 2, 1, 0, true, 0);
    db().settle(process, Success.of(last).endsRun().settlement());
    refusesAll(process, last);
  }

  @Test
  default void anUnleasedTaskCannotBeSettled() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, retried(task, Duration.ofHours(1)));
    refusesAll(process, task);
  }

  /** Tries every kind of settlement. */
  private void refusesAll(UUID owner, Claimed task) {
    List<Function<Claimed, Settlement>> kinds =
        List.of(
            t -> Success.of(t, "\"stale\"").next("b", true).settlement(),
            t -> Success.of(t, "\"stale\"").next("b", false).settlement(),
            t -> Success.of(t, "\"stale\"").endsRun().settlement(),
            t ->
                Success.of(t, "\"stale\"")
                    .starts(new NewTasks("c", 50, 0, 3, 1))
                    .bumps(new Bump("d", 2, -1, 60, true))
                    .bumps(new Bump(Bump.END, 1, -1, 0, false))
                    .settlement(),
            t -> retried(t, Duration.ofSeconds(1)),
            StoreFixture::failed,
            StoreFixture::released);
    Map<String, List<String>> before = db().dump();
    for (Function<Claimed, Settlement> kind : kinds) {
      assertThat(db().settle(owner, kind.apply(task)))
          .isEqualTo(new Reply(List.of(SettlementFate.STALE), List.of()));
      assertThat(db().dump()).isEqualTo(before);
    }
  }

  @Test
  default void aBatchRefusesOnlyItsStaleSettlements() {
    UUID process = db().join();
    db().start(5);
    List<Claimed> tasks = db().claim(process, 5);
    db().settle(process, Success.of(tasks.get(2)).next("b", true).settlement());
    Reply reply =
        db().settle(
                process,
                Success.of(tasks.get(0)).next("b", true).settlement(),
                Success.of(tasks.get(1)).endsRun().settlement(),
                Success.of(tasks.get(2), "\"again\"").next("x", true).settlement(),
                failed(tasks.get(3)),
                Success.of(tasks.get(4))
                    .starts(new NewTasks("c", 9, 0, 1, 0))
                    .bumps(new Bump("d", 1, -1, 10, true))
                    .settlement());
    assertThat(reply.fates())
        .containsExactly(
            SettlementFate.COMMITTED,
            SettlementFate.COMMITTED,
            SettlementFate.STALE,
            SettlementFate.COMMITTED,
            SettlementFate.COMMITTED);
    assertThat(reply.opened()).containsExactly(new Opened(4, 0));
    assertThat(db().store().runQueries().value(tasks.get(2).run(), "a", 0))
        .contains(Success.valueOf("a", 0));
    assertThat(db().query("select node from standpipe.task where state <> 4 order by node"))
        .containsExactly("b", "b", "c", "d");
  }

  @Test
  default void aStaleChainDoesNotStopItsBatch() {
    UUID process = db().join();
    db().start(50);
    List<Claimed> tasks = db().claim(process, 50);
    db().settle(process, released(tasks.get(17)));
    List<Settlement> batch =
        tasks.stream().map(task -> Success.of(task).next("b", true).settlement()).toList();
    List<SettlementFate> fates = db().store().tasks().settle(process, batch).fates();
    for (int i = 0; i < fates.size(); i++) {
      assertThat(fates.get(i)).isEqualTo(i == 17 ? SettlementFate.STALE : SettlementFate.COMMITTED);
    }
    assertThat(db().query("select count(*) from standpipe.result where node = 'a'"))
        .containsExactly("49");
  }

  @Test
  default void racingSettlersSettleATaskOnce() {
    UUID process = db().join();
    db().start(500);
    List<Settlement> batch =
        db().claim(process, 500).stream()
            .map(task -> Success.of(task).next("b", true).settlement())
            .toList();
    List<List<SettlementFate>> fates =
        Racers.race(
            2,
            number -> {
              List<SettlementFate> mine = new ArrayList<>();
              var tasks = db().another().tasks();
              for (int i = 0; i < batch.size(); i += 20) {
                mine.addAll(tasks.settle(process, batch.subList(i, i + 20)).fates());
              }
              return mine;
            });
    for (int i = 0; i < batch.size(); i++) {
      assertThat(List.of(fates.get(0).get(i), fates.get(1).get(i)))
          .containsExactlyInAnyOrder(SettlementFate.COMMITTED, SettlementFate.STALE);
    }
  }

  @Test
  default void aSnoozedTaskKeepsItsAttemptAndIsRecorded() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Settlement snoozed = snoozed(task, Duration.ofMillis(1));
    assertThat(db().store().tasks().recorded(List.of(snoozed))).containsExactly(false);
    assertThat(db().fate(process, snoozed)).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().tasks().recorded(List.of(snoozed))).containsExactly(true);
    assertThat(db().fate(process, snoozed)).isEqualTo(SettlementFate.STALE);
    assertThat(db().store().runQueries().steps(task.run()))
        .containsExactly(new StepInfo("a", 0, StepState.SCHEDULED, 1, 0, task.token()));
    AttemptInfo attempt = db().store().runQueries().attempts(task.run()).get(0);
    assertThat(attempt.outcome()).isEqualTo(AttemptOutcome.SNOOZED);
    assertThat(attempt.attempt()).isEqualTo(1);
    assertThat(attempt.error()).isEmpty();
    await().until(() -> db().store().tasks().promote(10) == 1);
    assertThat(db().claim(process).attempt()).isEqualTo(1);
  }

  @Test
  default void theStoreRemembersThatAStepSnoozed() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    ResultKey step = new ResultKey(task.run(), "a", 0);
    Waited before = db().store().tasks().waited(step);
    assertThat(before.snoozed()).isFalse();
    db().settle(process, retried(task, Duration.ofMillis(1)));
    assertThat(db().store().tasks().waited(step).snoozed()).isFalse();
    await().until(() -> db().store().tasks().promote(10) == 1);
    db().settle(process, snoozed(db().claim(process), Duration.ofHours(1)));
    Waited after = db().store().tasks().waited(step);
    assertThat(after.snoozed()).isTrue();
    assertThat(after.now()).isAfter(before.now());
    assertThat(db().store().tasks().waited(new ResultKey(task.run(), "a", 1)).snoozed()).isFalse();
  }

  @Test
  default void settlingNothingIsHarmless() {
    assertThat(db().settle(db().join())).isEqualTo(new Reply(List.of(), List.of()));
  }
}
