package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.finished;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static dev.standpipe.conformance.fixture.StoreFixture.settlement;
import static dev.standpipe.conformance.fixture.StoreFixture.snoozed;
import static dev.standpipe.conformance.store.run.CancelContract.BY_ANN;
import static dev.standpipe.conformance.store.run.CancelContract.HOUR;
import static dev.standpipe.conformance.store.run.PauseContract.BY_PAT;
import static dev.standpipe.conformance.store.run.ReviveContract.BY_EVE;
import static dev.standpipe.conformance.store.task.SharedRowsContract.MANY;
import static dev.standpipe.conformance.store.task.SharedRowsContract.ending;
import static dev.standpipe.conformance.store.task.SharedRowsContract.runsOf;
import static dev.standpipe.conformance.store.task.SharedRowsContract.without;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.store.run.PauseContract;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Pauses;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that were started together, and what happens to some of them and not to the others. */
public interface SharedRowsPartedContract extends StorePart {
  private Runs runs() {
    return db().store().runs();
  }

  private RunQueries runQueries() {
    return db().store().runQueries();
  }

  private Pauses pauses() {
    return db().store().pauses();
  }

  private RunInfo info(UUID run) {
    return runQueries().find(run).orElseThrow();
  }

  private RunStatus status(UUID run) {
    return info(run).status();
  }

  private List<SettlementFate> settle(UUID owner, List<Settlement> settlements) {
    return db().store().tasks().settle(owner, settlements).fates();
  }

  /** The first, one amid them and the last. */
  private static <T> List<T> some(List<T> all) {
    return List.of(all.get(0), all.get(all.size() / 2), all.get(all.size() - 1));
  }

  /** Asserts that this is what became of those, and that all others were written. */
  private static void assertFates(
      List<SettlementFate> fates, List<Claimed> tasks, List<Claimed> those, SettlementFate fate) {
    assertThat(fates).hasSameSizeAs(tasks);
    for (int i = 0; i < fates.size(); i++) {
      assertThat(fates.get(i))
          .isEqualTo(those.contains(tasks.get(i)) ? fate : SettlementFate.COMMITTED);
    }
  }

  @Test
  default void aCancelEndsReadyRunsAndSparesTheOthers() {
    List<UUID> runs = db().start(MANY);
    List<UUID> canceled = some(runs);
    for (UUID run : canceled) {
      assertThat(runs().cancel(run, HOUR, BY_ANN)).contains(RunStatus.CANCELING);
      assertThat(runs().finishStopping(run)).isTrue();
      assertThat(status(run)).isEqualTo(RunStatus.CANCELED);
      assertThat(runQueries().steps(run)).isEmpty();
    }
    UUID process = db().join();
    List<Claimed> claimed = db().claimAll(process, 100);
    assertThat(claimed)
        .allMatch(Claimed::running)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(without(runs, canceled));
    assertThat(settle(process, ending(claimed))).containsOnly(SettlementFate.COMMITTED);
    assertThat(runQueries().ended(runs)).hasSize(MANY);
  }

  @Test
  default void tasksOfCancelingRunsDoNotRun() {
    List<UUID> runs = db().start(MANY);
    List<UUID> canceled = some(runs);
    canceled.forEach(run -> runs().cancel(run, HOUR, BY_ANN));
    UUID process = db().join();
    List<Claimed> claimed = db().claimAll(process, 100);
    List<Claimed> stopped = claimed.stream().filter(task -> !task.running()).toList();
    assertThat(claimed)
        .filteredOn(Claimed::running)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(without(runs, canceled));
    assertThat(stopped).extracting(Claimed::run).isSubsetOf(canceled);
    for (Claimed task : stopped) {
      assertThat(db().fate(process, released(task))).isEqualTo(SettlementFate.DRAINED);
    }
    canceled.forEach(run -> assertThat(runs().finishStopping(run)).isTrue());
    assertThat(runQueries().ended(runs)).containsExactlyInAnyOrderElementsOf(canceled);
  }

  @Test
  default void canceledRunsDrainTheirLeasedTasks() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, MANY);
    List<Claimed> canceled = some(claimed);
    for (Claimed task : canceled) {
      assertThat(runs().cancel(task.run(), HOUR, BY_ANN)).contains(RunStatus.CANCELING);
      assertThat(runs().finishStopping(task.run())).isFalse();
      assertThat(runQueries().steps(task.run()))
          .containsExactly(new StepInfo("a", 0, StepState.LEASED, 1, 0, 1));
    }
    assertFates(settle(process, ending(claimed)), claimed, canceled, SettlementFate.DRAINED);
    for (Claimed task : canceled) {
      assertThat(runs().finishStopping(task.run())).isTrue();
      assertThat(status(task.run())).isEqualTo(RunStatus.CANCELED);
      assertThat(runQueries().value(task.run(), "a", 0)).contains(Success.valueOf("a", 0));
    }
    assertThat(runQueries().ended(claimed.stream().map(Claimed::run).toList())).hasSize(MANY);
    assertThat(settle(process, ending(claimed))).containsOnly(SettlementFate.STALE);
  }

  @Test
  default void canceledRunsStartNoNextStep() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, MANY);
    List<Claimed> canceled = some(claimed);
    canceled.forEach(task -> runs().cancel(task.run(), HOUR, BY_ANN));
    List<Settlement> goingOn =
        claimed.stream().map(task -> Success.of(task).next("b", true).settlement()).toList();
    assertFates(settle(process, goingOn), claimed, canceled, SettlementFate.DRAINED);
    assertThat(db().store().tasks().held(process)).hasSize(MANY - canceled.size());
    canceled.forEach(task -> assertThat(runs().finishStopping(task.run())).isTrue());
  }

  @Test
  default void tasksCutOffByACancelCannotSettle() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, MANY);
    List<Claimed> canceled = some(claimed);
    for (Claimed task : canceled) {
      runs().cancel(task.run(), 0, BY_ANN);
      assertThat(runs().finishStopping(task.run())).isTrue();
      assertThat(runQueries().attempts(task.run()))
          .extracting(AttemptInfo::outcome, AttemptInfo::token, AttemptInfo::process)
          .containsExactly(tuple(AttemptOutcome.CANCELED, 1L, process));
    }
    assertThat(db().store().tasks().held(process)).hasSize(MANY - canceled.size());
    assertFates(settle(process, ending(claimed)), claimed, canceled, SettlementFate.STALE);
    canceled.forEach(task -> assertThat(status(task.run())).isEqualTo(RunStatus.CANCELED));
  }

  @Test
  default void pausedRunsAreNotClaimedUntilResumed() {
    List<UUID> runs = db().start(MANY);
    UUID process = db().join();
    List<UUID> waiting = without(runs, runsOf(db().claim(process, 60)));
    List<UUID> paused = some(waiting);
    for (UUID run : paused) {
      assertThat(pauses().pause(run, BY_PAT)).isTrue();
      assertThat(runQueries().steps(run))
          .containsExactly(new StepInfo("a", 0, StepState.PAUSED, 1, 0, 0));
    }
    assertThat(pauses().look()).isEqualTo(PauseContract.NOTHING);
    assertThat(db().claimAll(process, 100))
        .allMatch(Claimed::running)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(without(waiting, paused));
    paused.forEach(run -> assertThat(pauses().resume(run, BY_PAT)).isTrue());
    List<Claimed> resumed = db().claimAll(process, 100);
    assertThat(resumed)
        .allMatch(task -> task.running() && task.token() == 1 && task.attempt() == 1)
        .extracting(Claimed::run)
        .isEqualTo(paused);
    assertThat(settle(process, ending(resumed))).containsOnly(SettlementFate.COMMITTED);
  }

  @Test
  default void pausedRunsFinishLeasedTasksAndParkNextSteps() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, MANY);
    List<Claimed> paused = some(claimed);
    paused.forEach(task -> assertThat(pauses().pause(task.run(), BY_PAT)).isTrue());
    Set<UUID> marked = Set.copyOf(paused.stream().map(Claimed::run).toList());
    assertThat(pauses().look().runs()).isEqualTo(marked);
    paused.forEach(task -> pauses().calm(task.run()));
    assertThat(pauses().look().runs()).as("somebody holds them").isEqualTo(marked);
    List<Settlement> batch =
        claimed.stream().map(task -> Success.of(task).next("b", true).settlement()).toList();
    assertFates(settle(process, batch), claimed, paused, SettlementFate.PARKED);
    assertThat(db().store().tasks().held(process)).hasSize(MANY - paused.size());
    assertThat(db().claim(process, 10)).isEmpty();
    paused.forEach(task -> pauses().calm(task.run()));
    assertThat(pauses().look()).isEqualTo(PauseContract.NOTHING);
    paused.forEach(task -> assertThat(pauses().resume(task.run(), BY_PAT)).isTrue());
    assertThat(db().claim(process, 10))
        .hasSameSizeAs(paused)
        .allMatch(task -> task.running() && task.node().equals("b") && task.token() > 1);
  }

  @Test
  default void resumedRunsSettleTheirLeasedTasks() {
    db().start(MANY);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, MANY);
    Claimed back = claimed.get(200);
    for (Claimed task : List.of(claimed.get(3), back)) {
      assertThat(pauses().pause(task.run(), BY_PAT)).isTrue();
    }
    assertThat(db().fate(process, released(back))).isEqualTo(SettlementFate.PARKED);
    for (Claimed task : List.of(claimed.get(3), back)) {
      assertThat(pauses().resume(task.run(), BY_PAT)).isTrue();
    }
    assertFates(settle(process, ending(claimed)), claimed, List.of(back), SettlementFate.STALE);
    Claimed again = db().claim(process);
    assertThat(again.run()).isEqualTo(back.run());
    assertThat(again.token()).isEqualTo(2);
    assertThat(db().fate(process, Success.of(again).endsRun().settlement()))
        .isEqualTo(SettlementFate.COMMITTED);
  }

  @Test
  default void revivedRunsAreClaimedAgain() {
    List<UUID> runs = db().start(MANY);
    UUID process = db().join();
    List<Claimed> first = db().claim(process, 100);
    List<UUID> revived = List.of(first.get(50).run(), without(runs, runsOf(first)).get(100));
    for (UUID run : revived) {
      runs().cancel(run, 0, BY_ANN);
      assertThat(runs().finishStopping(run)).isTrue();
      Resume again = new Resume(run, List.of(new ResumedStep("a", 1, 0)), List.of());
      Revival revival = new Revival(0, OptionalInt.empty(), BY_EVE);
      assertThat(db().store().quarantines().revive(again, revival)).isTrue();
      assertThat(runQueries().steps(run))
          .extracting(StepInfo::state)
          .containsExactly(StepState.READY);
    }
    List<Claimed> rest = db().claimAll(process, 100);
    assertThat(rest)
        .allMatch(Claimed::running)
        .filteredOn(task -> task.token() > 1)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(revived);
    assertThat(rest).hasSize(251);
    assertThat(settle(process, ending(rest))).containsOnly(SettlementFate.COMMITTED);
    assertFates(
        settle(process, ending(first)), first, List.of(first.get(50)), SettlementFate.STALE);
    assertThat(runQueries().ended(runs)).hasSize(MANY);
  }

  /** One of every kind. */
  private static Settlement verdict(Claimed task, int kind) {
    return switch (kind) {
      case 0 -> Success.of(task).endsRun().settlement();
      case 1 -> Success.of(task).next("b", true).settlement();
      case 2 -> retried(task, Duration.ZERO);
      case 3 -> retried(task, Duration.ofHours(1));
      case 4 -> failed(task);
      case 5 -> snoozed(task, Duration.ofHours(1));
      case 6 -> released(task);
      case 7 -> finished(task, "7");
      default -> settlement(task, new Settlement.Waiting(HOUR));
    };
  }

  @Test
  default void aBatchSettlesEveryKindOfOutcome() {
    int kinds = 9;
    db().start(50 * kinds);
    UUID process = db().join();
    List<Claimed> claimed = db().claim(process, 50 * kinds);
    List<Settlement> batch = new ArrayList<>();
    for (int i = 0; i < claimed.size(); i++) {
      batch.add(verdict(claimed.get(i), i % kinds));
    }
    assertThat(settle(process, batch))
        .containsOnly(SettlementFate.COMMITTED)
        .hasSameSizeAs(claimed);
    for (int i = 0; i < claimed.size(); i++) {
      assertEffect(claimed.get(i).run(), i % kinds);
    }
    assertThat(db().store().tasks().held(process)).hasSize(50).allMatch(held -> held.token() == 2);
    assertThat(db().claimAll(process, 100))
        .hasSize(100)
        .allMatch(task -> task.token() == 2 && task.crashes() == 0)
        .filteredOn(task -> task.attempt() == 2)
        .extracting(Claimed::run)
        .containsExactlyInAnyOrderElementsOf(ofKind(claimed, 2, kinds));
    List<UUID> halting = ofKind(claimed, 4, kinds);
    List<UUID> finishing = ofKind(claimed, 7, kinds);
    assertThat(runQueries().halting(1_000)).containsAll(halting);
    halting.forEach(run -> assertThat(runs().finishStopping(run)).isTrue());
    finishing.forEach(run -> assertThat(runs().finishStopping(run)).isTrue());
    halting.forEach(run -> assertThat(status(run)).isEqualTo(RunStatus.HALTED));
    finishing.forEach(run -> assertThat(status(run)).isEqualTo(RunStatus.SUCCEEDED));
    assertThat(runQueries().ended(claimed.stream().map(Claimed::run).toList())).hasSize(150);
  }

  private static List<UUID> ofKind(List<Claimed> claimed, int kind, int kinds) {
    return IntStream.range(0, claimed.size() / kinds)
        .mapToObj(i -> claimed.get(i * kinds + kind).run())
        .toList();
  }

  private void assertEffect(UUID run, int kind) {
    RunStatus status =
        switch (kind) {
          case 0 -> RunStatus.SUCCEEDED;
          case 4 -> RunStatus.HALTING;
          case 7 -> RunStatus.FINISHING;
          default -> RunStatus.RUNNING;
        };
    assertThat(status(run)).isEqualTo(status);
    StepInfo step =
        switch (kind) {
          case 0, 1, 7 -> new StepInfo("a", 0, StepState.SUCCEEDED, 1, 0, 1);
          case 2 -> new StepInfo("a", 0, StepState.READY, 2, 0, 1);
          case 3 -> new StepInfo("a", 0, StepState.SCHEDULED, 2, 0, 1);
          case 4 -> new StepInfo("a", 0, StepState.FAILED, 1, 0, 1);
          case 5 -> new StepInfo("a", 0, StepState.SCHEDULED, 1, 0, 1);
          case 6 -> new StepInfo("a", 0, StepState.READY, 1, 0, 1);
          default -> new StepInfo("a", 0, StepState.WAITING, 1, 0, 1);
        };
    assertThat(runQueries().steps(run)).contains(step).hasSize(kind == 1 ? 2 : 1);
  }
}
