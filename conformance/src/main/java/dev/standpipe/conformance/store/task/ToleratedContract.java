package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.error;
import static dev.standpipe.conformance.fixture.StoreFixture.settlement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Quarantines;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Changes;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.SkippedStep;
import dev.standpipe.internal.port.Settlement.Tolerated;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Closed;
import dev.standpipe.internal.port.Tasks.NodeEnding;
import dev.standpipe.internal.port.Tasks.NodeKey;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Failures that a run goes on after, what is lost with them, and how such a run ends. */
public interface ToleratedContract extends StorePart {
  private static Settlement tolerated(Claimed task, boolean halts, Bump... bumps) {
    Settlement.Failed failure =
        new Settlement.Failed(AttemptOutcome.FAILED, error(), HaltReason.RETRIES_EXHAUSTED);
    return settlement(
        task,
        new Tolerated(
            failure,
            halts,
            lost(
                List.of(new SkippedStep("x", 0, true), new SkippedStep("each", -1, true)),
                List.of(bumps))));
  }

  private static Changes lost(List<SkippedStep> skips, List<Bump> bumps) {
    return new Changes(List.of(), skips, null, List.of(), bumps, false);
  }

  private static Bump close(int need, int delta) {
    return new Bump(Bump.CLOSE, need, delta, 0, false);
  }

  private RunInfo info(UUID run) {
    return db().store().runQueries().find(run).orElseThrow();
  }

  @Test
  default void aToleratedFailureIsRecordedWithItsLostSteps() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Settlement settlement = tolerated(task, false, close(2, -1));
    assertThat(db().fate(process, settlement)).isEqualTo(SettlementFate.COMMITTED);
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(db().store().runQueries().steps(task.run()))
        .extracting(StepInfo::node, StepInfo::index, StepInfo::state, StepInfo::attempt)
        .containsExactly(
            tuple("a", 0, StepState.FAILED, 1),
            tuple("each", 0, StepState.UPSTREAM_FAILED, 0),
            tuple("x", 0, StepState.UPSTREAM_FAILED, 0));
    assertThat(db().query("select outcome, error from standpipe.attempt")).hasSize(1);
    assertThat(db().store().tasks().recorded(List.of(settlement))).containsExactly(true);
    assertThat(db().fate(process, settlement)).isEqualTo(SettlementFate.STALE);
    assertThat(db().store().tasks().tolerated(List.of(task.run(), UUID.randomUUID())))
        .containsExactly(new NodeKey(task.run(), "a"));
    assertThat(db().store().tasks().tolerated(List.of())).isEmpty();
  }

  @Test
  default void aToleratedExpandHasNotFinished() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Settlement.Failed failure =
        new Settlement.Failed(AttemptOutcome.FAILED, error(), HaltReason.FAILED_NOW, true);
    db().settle(
            process,
            settlement(
                task,
                new Tolerated(
                    failure,
                    false,
                    lost(List.of(new SkippedStep("each", -1, true)), List.of(close(2, -1))))));
    assertThat(db().elements(task.run(), "a")).isEmpty();
    assertThat(db().store().quarantines().finished(task.run())).isEmpty();
    assertThat(db().store().quarantines().unfinished(task.run())).isEmpty();
  }

  @Test
  default void aRunWithAToleratedFailureEndsFailed() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Reply reply = db().settle(process, tolerated(task, false, close(1, -1)));
    assertThat(reply.closed()).containsExactly(new Closed(task.run(), RunStatus.FAILED));
    RunInfo info = info(task.run());
    assertThat(info.status()).isEqualTo(RunStatus.FAILED);
    assertThat(info.haltReason()).isEmpty();
    assertThat(info.haltNode()).contains("a");
    assertThat(info.finishedAt()).isPresent();
    assertThat(db().store().runQueries().ended(List.of(task.run()))).containsExactly(task.run());
  }

  @Test
  default void aShelteredRunEndsHalted() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Reply reply = db().settle(process, tolerated(task, true, close(1, -1)));
    assertThat(reply.closed()).containsExactly(new Closed(task.run(), RunStatus.HALTED));
    assertThat(info(task.run()).haltReason()).contains(HaltReason.RETRIES_EXHAUSTED);
  }

  @Test
  default void aLenientRunWithoutFailuresSucceeds() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Reply reply = db().settle(process, Success.of(task).bumps(close(1, -1)).settlement());
    assertThat(reply.closed()).containsExactly(new Closed(task.run(), RunStatus.SUCCEEDED));
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(info(task.run()).haltNode()).isEmpty();
  }

  @Test
  default void twoFailedElementsTolerateTheirNodeOnce() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    NewTasks two = new NewTasks("b", 2, 0, 2, 0);
    db().settle(process, Success.of(task).starts(two).bumps(close(1, 1)).settlement());
    Settlement.Failed failure =
        new Settlement.Failed(AttemptOutcome.FAILED, error(), HaltReason.RETRIES_EXHAUSTED);
    Tolerated tolerated = new Tolerated(failure, false, lost(List.of(), List.of(close(1, -1))));
    List<Claimed> tasks = db().claim(process, 2);
    db().settle(process, settlement(tasks.get(0), tolerated));
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.RUNNING);
    db().settle(process, settlement(tasks.get(1), tolerated));
    assertThat(db().store().tasks().tolerated(List.of(task.run())))
        .containsExactly(new NodeKey(task.run(), "b"));
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  default void aFailedRunIsMarkedAndCanBeRevived() {
    UUID process = db().join();
    UUID id = UUID.randomUUID();
    db().start(
            List.of(
                new NewRun(id, null, null, 0, "{}", "{}", 0, null, null, Followed.COMPENSATED)));
    Claimed task = db().claim(process);
    Reply reply = db().settle(process, tolerated(task, false, close(1, -1)));
    assertThat(reply.followed()).isTrue();
    assertThat(db().store().runEnds().ended(10)).containsExactly(id);
    assertThat(info(id).status()).isEqualTo(RunStatus.FAILED);
    assertThat(db().store().runQueries().ended(List.of(id))).containsExactly(id);
    Resume resume = new Resume(id, List.of(new ResumedStep("a", 1, 0)), List.of());
    Revival revival = new Revival(0, OptionalInt.empty(), new Audited("ann", "mended"));
    assertThat(db().store().quarantines().revive(resume, revival)).isTrue();
    assertThat(db().store().runEnds().ended(10)).isEmpty();
    Reply halted = db().settle(process, tolerated(db().claim(process), true, close(1, -1)));
    assertThat(halted.closed()).containsExactly(new Closed(id, RunStatus.COMPENSATING));
    assertThat(info(id).status()).isEqualTo(RunStatus.COMPENSATING);
    assertThat(db().store().runQueries().ended(List.of(id))).isEmpty();
  }

  @Test
  default void aRunFailedWhilePausedContinuesWhenRevived() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Audited audited = new Audited("ann", "mended");
    assertThat(db().store().pauses().pause(task.run(), audited)).isTrue();
    Settlement failure = tolerated(task, false, close(1, -1));
    assertThat(db().fate(process, failure)).isEqualTo(SettlementFate.PARKED);
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.FAILED);
    Resume resume = new Resume(task.run(), List.of(new ResumedStep("a", 1, 0)), List.of());
    Revival revival = new Revival(0, OptionalInt.empty(), audited);
    assertThat(db().store().quarantines().revive(resume, revival)).isTrue();
    Claimed again = db().claim(process);
    assertThat(again.running()).isTrue();
    Settlement last = Success.of(again).endsRun().settlement();
    assertThat(db().fate(process, last)).isEqualTo(SettlementFate.COMMITTED);
  }

  @Test
  default void aCancelWinsOverAToleratedFailure() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().store().runs().cancel(task.run(), 0, new Audited("ann", "enough"));
    Reply reply = db().settle(process, tolerated(task, false, close(1, -1)));
    assertThat(reply.fates()).containsExactly(SettlementFate.DRAINED);
    assertThat(reply.closed()).isEmpty();
    assertThat(db().store().runs().finishStopping(task.run())).isTrue();
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.CANCELED);
  }

  @Test
  default void endingsTellFailedNodesFromLostNodes() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, tolerated(task, false, close(2, -1)));
    List<NodeKey> keys =
        List.of("a", "x", "each", "none").stream()
            .map(node -> new NodeKey(task.run(), node))
            .toList();
    assertThat(db().store().tasks().endings(keys))
        .extracting(NodeEnding::failed, NodeEnding::lost, NodeEnding::skipped)
        .containsExactly(
            tuple(true, false, false),
            tuple(false, true, false),
            tuple(false, true, false),
            tuple(false, false, false));
    assertThat(db().store().tasks().ended(new ResultKey(task.run(), "x", 0))).isTrue();
    assertThat(db().store().tasks().ended(new ResultKey(task.run(), "none", 0))).isFalse();
  }

  @Test
  default void aReviveForgetsFailuresAndLostSteps() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, tolerated(task, false, close(1, -1)));
    assertThat(db().store().quarantines().finished(task.run())).isEmpty();
    Resume resume = new Resume(task.run(), List.of(new ResumedStep("a", 1, 0)), List.of());
    Revival revival = new Revival(0, OptionalInt.empty(), new Audited("ann", "mended"));
    assertThat(db().store().quarantines().revive(resume, revival)).isTrue();
    assertThat(db().query("select count(*) from standpipe.tolerated")).containsExactly("0");
    assertThat(db().query("select count(*) from standpipe.result where outcome = 2"))
        .containsExactly("0");
    Claimed again = db().claim(process);
    db().settle(
            process,
            settlement(
                again,
                new Settlement.Succeeded(
                    List.of(new Settlement.Value("a", 0, "1", false)),
                    null,
                    List.of(new NewTasks("b", 2, 0, 2, 1)),
                    List.of(),
                    false)));
    assertThat(db().query("select token from standpipe.task where node = 'b' order by idx"))
        .containsExactly(
            String.valueOf(Quarantines.REVIVED + 1), String.valueOf(Quarantines.REVIVED));
  }
}
