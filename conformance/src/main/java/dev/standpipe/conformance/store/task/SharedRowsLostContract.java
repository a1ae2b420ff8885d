package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.store.run.CancelContract.BY_ANN;
import static dev.standpipe.conformance.store.run.CancelContract.HOUR;
import static dev.standpipe.conformance.store.run.PauseContract.BY_PAT;
import static dev.standpipe.conformance.store.task.SharedRowsContract.MANY;
import static dev.standpipe.conformance.store.task.SharedRowsContract.ending;
import static dev.standpipe.conformance.store.task.SharedRowsContract.runsOf;
import static dev.standpipe.conformance.store.task.SharedRowsContract.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.store.process.ProcessContract;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Runs that were started together, and processes that go or lose what they were told while they
 * hold them.
 */
public interface SharedRowsLostContract extends StorePart {
  private List<SettlementFate> settle(UUID owner, List<Settlement> settlements) {
    return db().store().tasks().settle(owner, settlements).fates();
  }

  @Test
  default void aLeavingProcessReleasesUnsettledTasksUncounted() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, 300);
    settle(process, ending(claimed.subList(50, 150)));
    settle(
        process,
        claimed.subList(150, 180).stream()
            .map(task -> Success.of(task).next("b", true).settlement())
            .toList());
    db().store().processes().leave(process);
    assertThat(db().store().tasks().held(process)).isEmpty();
    assertThat(settle(process, ending(claimed))).containsOnly(SettlementFate.STALE);
    UUID other = db().join();
    List<Claimed> again = db().claimAll(other, 90);
    assertThat(again).hasSize(250).allMatch(task -> task.crashes() == 0 && task.attempt() == 1);
    List<UUID> given = runsOf(without(claimed, claimed.subList(50, 180)));
    assertThat(again)
        .filteredOn(task -> task.node().equals("a") && task.token() == 2)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(given);
    assertThat(again)
        .filteredOn(task -> task.node().equals("b") && task.token() == 3)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(runsOf(claimed.subList(150, 180)));
    assertThat(again).filteredOn(task -> task.token() == 1).hasSize(50);
    assertThat(db().store().runQueries().attempts(given.get(0))).isEmpty();
    assertThat(settle(other, ending(again))).containsOnly(SettlementFate.COMMITTED);
  }

  @Test
  default void theReaperChargesUnsettledTasksOneCrashEach() {
    db().start(MANY);
    UUID process = db().join(ProcessContract.GONE);
    List<Claimed> claimed = db().claim(process, 300);
    settle(process, ending(claimed.subList(0, 120)));
    settle(process, ending(claimed.subList(200, 220)));
    Claimed paused = claimed.get(130);
    assertThat(db().store().pauses().pause(paused.run(), BY_PAT)).isTrue();
    assertThat(db().reap()).contains(new Reaped(process, "p-" + process, 160));
    assertThat(db().reap()).isEmpty();
    assertThat(settle(process, ending(claimed))).containsOnly(SettlementFate.STALE);
    assertThat(db().store().tasks().held(process)).isEmpty();
    assertThat(db().store().runQueries().steps(claimed.get(299).run()))
        .containsExactly(new StepInfo("a", 0, StepState.READY, 1, 1, 1));
    assertThat(db().store().runQueries().attempts(claimed.get(299).run()))
        .extracting(AttemptInfo::outcome, AttemptInfo::token, AttemptInfo::process)
        .containsExactly(tuple(AttemptOutcome.CRASHED, 1L, process));
    List<Claimed> again = db().claimAll(db().join(), 100);
    assertThat(again).filteredOn(task -> task.crashes() == 0 && task.token() == 1).hasSize(50);
    assertThat(again).filteredOn(task -> task.crashes() == 1 && task.token() == 2).hasSize(160);
    assertThat(again).hasSize(210).extracting(Claimed::run).doesNotHaveDuplicates();
    assertThat(again)
        .filteredOn(task -> !task.running())
        .extracting(Claimed::run)
        .containsExactly(paused.run());
  }

  @Test
  default void theReaperRecoversTasksClaimedForAGoneProcess() {
    db().start(MANY);
    UUID zombie = db().join();
    List<Claimed> claimed = db().claim(zombie, 150);
    db().overtake(zombie);
    assertThat(db().reap()).contains(new Reaped(zombie, "unknown", 150));
    assertThat(db().reap()).isEmpty();
    assertThat(settle(zombie, ending(claimed))).containsOnly(SettlementFate.STALE);
    assertThat(db().claimAll(db().join(), 100)).hasSize(MANY);
  }

  @Test
  default void twoCrashesMakeTasksSuspects() {
    List<UUID> runs = db().start(MANY);
    for (int i = 0; i < 2; i++) {
      UUID dies = db().join(ProcessContract.GONE);
      assertThat(runsOf(db().claimAll(dies, 500))).containsExactlyInAnyOrderElementsOf(runs);
      assertThat(db().reap().map(Reaped::tasks)).contains(MANY);
    }
    UUID process = db().join();
    assertThat(db().claim(process, 500)).isEmpty();
    Claimed one = db().claimSuspect(process).orElseThrow();
    Claimed other = db().claimSuspect(process).orElseThrow();
    assertThat(List.of(one, other))
        .allMatch(task -> task.crashes() == 2 && task.token() == 3)
        .extracting(Claimed::run)
        .doesNotHaveDuplicates();
  }

  @Test
  default void canceledRunsEndWhenTheirProcessDies() {
    List<UUID> runs = db().start(MANY);
    UUID process = db().join(ProcessContract.GONE);
    List<UUID> held = runsOf(db().claim(process, 200));
    List<UUID> canceled = List.of(held.get(0), held.get(60), held.get(199));
    for (UUID run : canceled) {
      db().store().runs().cancel(run, HOUR, BY_ANN);
      assertThat(db().store().runs().finishStopping(run)).isFalse();
    }
    assertThat(db().reap().map(Reaped::tasks)).contains(200);
    canceled.forEach(run -> assertThat(db().store().runs().finishStopping(run)).isTrue());
    assertThat(db().claimAll(db().join(), 100))
        .allMatch(Claimed::running)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(without(runs, canceled));
  }

  @Test
  default void aProcessReleasesAClaimWhoseReplyWasLost() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> known = db().claim(process, 100);
    assertThat(db().claim(process, 150)).hasSize(150); // and forgotten
    List<TaskRef> unknown =
        without(db().store().tasks().held(process), known.stream().map(Claimed::ref).toList());
    assertThat(unknown).hasSize(150);
    List<Settlement> back = unknown.stream().map(Settlement::release).toList();
    assertThat(settle(process, back)).containsOnly(SettlementFate.COMMITTED).hasSize(150);
    assertThat(settle(process, back)).containsOnly(SettlementFate.STALE);
    assertThat(settle(process, ending(known))).containsOnly(SettlementFate.COMMITTED);
    List<Claimed> again = db().claimAll(db().join(), 100);
    assertThat(again)
        .hasSize(250)
        .allMatch(task -> task.crashes() == 0 && task.attempt() == 1 && task.node().equals("a"));
    assertThat(again)
        .filteredOn(task -> task.token() == 2)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(unknown.stream().map(TaskRef::run).toList());
    assertThat(db().store().runQueries().attempts(unknown.get(0).run())).isEmpty();
  }
}
