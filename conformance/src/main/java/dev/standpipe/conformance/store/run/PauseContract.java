package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.PIPELINE;
import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.finished;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static dev.standpipe.conformance.fixture.StoreFixture.settlement;
import static dev.standpipe.conformance.store.run.CancelContract.HOUR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Lane;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.store.process.ProcessContract;
import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Pauses;
import dev.standpipe.internal.port.Pauses.Paused;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Signals.Given;
import dev.standpipe.internal.port.Signals.SignalAnswer;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.operate.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Runs and lanes that are paused. */
public interface PauseContract extends StorePart {
  Audited BY_PAT = new Audited("pat", "the press is hot");
  Paused NOTHING = new Paused(Set.of(), Set.of());

  private Pauses pauses() {
    return db().store().pauses();
  }

  private RunStatus status(UUID run) {
    return db().store().runQueries().find(run).orElseThrow().status();
  }

  private void pause(UUID run) {
    assertThat(pauses().pause(run, BY_PAT)).isTrue();
    assertThat(status(run)).isEqualTo(RunStatus.PAUSED);
  }

  private void resume(UUID run) {
    assertThat(pauses().resume(run, BY_PAT)).isTrue();
    assertThat(status(run)).isEqualTo(RunStatus.RUNNING);
  }

  /** Each task with what it would be to an operator. */
  private List<String> steps() {
    return db().query(
            "select node, idx, state from standpipe.step where state not in ('succeeded', 'failed') order by node, idx");
  }

  @Test
  default void aPausedRunsTasksWaitForItsResume() {
    UUID process = db().join();
    UUID run = db().start();
    UUID other = db().start();
    pause(run);
    assertThat(status(other)).isEqualTo(RunStatus.RUNNING);
    assertThat(db().claim(process).run()).isEqualTo(other);
    assertThat(steps()).containsExactlyInAnyOrder("a|0|paused", "a|0|leased");
    assertThat(pauses().look()).isEqualTo(NOTHING);
    resume(run);
    Claimed task = db().claim(process);
    assertThat(task.run()).isEqualTo(run);
    assertThat(task.running()).isTrue();
    assertThat(task.attempt()).isEqualTo(1);
    assertThat(db().query("select actor, action, reason from standpipe.audit order by id"))
        .containsExactly("pat|pause|the press is hot", "pat|resume|the press is hot");
  }

  @Test
  default void anEndedRunIsNotPaused() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.of(task).endsRun().settlement());
    assertUnchanged(() -> pauses().pause(task.run(), BY_PAT));
  }

  @Test
  default void aSecondPauseAndASecondResumeChangeNothing() {
    UUID run = db().start();
    assertUnchanged(() -> pauses().resume(run, BY_PAT));
    pause(run);
    assertUnchanged(() -> pauses().pause(run, BY_PAT));
    resume(run);
    assertUnchanged(() -> pauses().resume(run, BY_PAT));
    assertUnchanged(() -> pauses().pause(UUID.randomUUID(), BY_PAT));
  }

  private void assertUnchanged(BooleanSupplier action) {
    var before = db().dump();
    assertThat(action.getAsBoolean()).isFalse();
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aPausedRunParksItsNextSteps() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    pause(task.run());
    assertThat(pauses().look().runs()).containsExactly(task.run());
    pauses().calm(task.run());
    assertThat(pauses().look().runs()).containsExactly(task.run());
    Settlement step =
        Success.of(task).next("b", true).starts(new NewTasks("c", 9, 0, 2, 2)).settlement();
    assertThat(db().fate(process, step)).isEqualTo(SettlementFate.PARKED);
    assertThat(db().store().runQueries().value(task.run(), "a", 0))
        .contains(Success.valueOf("a", 0));
    assertThat(db().store().tasks().held(process)).isEmpty();
    assertThat(steps()).containsExactly("b|0|paused", "c|0|paused", "c|1|paused");
    assertThat(db().claim(process, 10)).isEmpty();
    pauses().calm(task.run());
    assertThat(pauses().look()).isEqualTo(NOTHING);
    resume(task.run());
    List<Claimed> follow = db().claim(process, 10);
    assertThat(follow).extracting(Claimed::node).containsExactlyInAnyOrder("b", "c", "c");
    assertThat(follow)
        .filteredOn(t -> t.node().equals("b"))
        .allMatch(t -> t.token() > task.token());
  }

  @Test
  default void aBatchParksOnlyChainsOfPausedRuns() {
    UUID process = db().join();
    db().start(3);
    List<Claimed> tasks = db().claim(process, 3);
    pause(tasks.get(1).run());
    Reply reply =
        db().settle(
                process,
                Success.of(tasks.get(0)).next("b", true).settlement(),
                Success.of(tasks.get(1)).next("b", true).settlement(),
                Success.of(tasks.get(2)).next("b", true).settlement());
    assertThat(reply.fates())
        .containsExactly(SettlementFate.COMMITTED, SettlementFate.PARKED, SettlementFate.COMMITTED);
    assertThat(steps()).containsExactlyInAnyOrder("b|0|leased", "b|0|paused", "b|0|leased");
  }

  @Test
  default void aFanInOpenedInAPausedRunWaits() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    pause(task.run());
    Settlement last = Success.of(task).bumps(new Bump("z", 1, -1, 5, true)).settlement();
    Reply reply = db().settle(process, last);
    assertThat(reply.fates()).containsExactly(SettlementFate.PARKED);
    assertThat(reply.opened()).containsExactly(new Opened(0, 0));
    assertThat(steps()).containsExactly("z|0|paused");
  }

  @Test
  default void aPausedExpandKeepsItsElementsAndWaits() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    pause(task.run());
    Settlement chunk =
        settlement(
            task,
            new Settlement.Expanding(
                List.of(new Settlement.Value("a", 0, "1", true)),
                new Next("a", 0, true),
                List.of(new NewTasks("b", 9, 0, 1, 1)),
                List.of()));
    assertThat(db().fate(process, chunk)).isEqualTo(SettlementFate.PARKED);
    assertThat(db().elements(task.run(), "a")).containsExactly("1");
    assertThat(steps()).containsExactly("a|0|paused", "b|0|paused");
    resume(task.run());
    assertThat(db().claim(process, 10))
        .filteredOn(t -> t.node().equals("a"))
        .allMatch(t -> t.token() > task.token())
        .hasSize(1);
  }

  @Test
  default void anEndedRunLosesItsPauseMark() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    pause(task.run());
    Settlement last = Success.of(task).endsRun().settlement();
    assertThat(db().fate(process, last)).isEqualTo(SettlementFate.PARKED);
    assertThat(status(task.run())).isEqualTo(RunStatus.SUCCEEDED);
    pauses().calm(task.run());
    assertThat(pauses().look()).isEqualTo(NOTHING);
  }

  @Test
  default void theLastStepOfAPausedRunEndsIt() {
    UUID process = db().join();
    Claimed direct = db().startAndClaim(process);
    Claimed counted = db().startAndClaim(process);
    Claimed early = db().startAndClaim(process);
    List.of(direct, counted, early).forEach(task -> pause(task.run()));
    Reply reply =
        db().settle(
                process,
                Success.of(direct).endsRun().settlement(),
                Success.of(counted).bumps(new Bump(Bump.END, 1, -1, 0, false)).settlement(),
                finished(early, "7"));
    assertThat(reply.fates()).containsOnly(SettlementFate.PARKED);
    assertThat(reply.stopped()).isEmpty();
    assertThat(status(direct.run())).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(status(counted.run())).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(status(early.run())).isEqualTo(RunStatus.FINISHING);
    assertThat(db().store().runs().finishStopping(early.run())).isTrue();
    assertThat(status(early.run())).isEqualTo(RunStatus.SUCCEEDED);
    assertUnchanged(() -> pauses().resume(direct.run(), BY_PAT));
    assertUnchanged(() -> pauses().pause(direct.run(), BY_PAT));
  }

  @Test
  default void aFailureHaltsAPausedRun() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(
            process,
            Success.of(task).next("b", true).starts(new NewTasks("c", 9, 0, 2, 1)).settlement());
    UUID run = task.run();
    pause(run);
    assertThat(steps()).containsExactly("b|0|leased", "c|0|leased", "c|1|paused");
    Claimed b = held(task, "b", 1, task.token() + 1);
    assertThat(db().fate(process, failed(b))).isEqualTo(SettlementFate.PARKED);
    assertThat(status(run)).isEqualTo(RunStatus.HALTING);
    assertThat(db().store().runs().finishStopping(run)).isFalse();
    Claimed c = held(task, "c", 9, 1);
    assertThat(db().fate(process, Success.of(c).settlement())).isEqualTo(SettlementFate.DRAINED);
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    pauses().calm(run);
    assertThat(status(run)).isEqualTo(RunStatus.HALTED);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(pauses().look()).isEqualTo(NOTHING);
  }

  private static Claimed held(Claimed of, String node, long id, long token) {
    return new Claimed(
        of.run(), id, node, 0, of.lane(), of.priority(), token, 1, 0, true, of.seq());
  }

  @Test
  default void aRetryOfAPausedRunComesDueAndWaits() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    pause(task.run());
    assertThat(db().fate(process, retried(task, Duration.ofNanos(1000))))
        .isEqualTo(SettlementFate.PARKED);
    assertThat(steps()).containsExactly("a|0|scheduled");
    await().until(() -> db().store().tasks().promote(10) == 1);
    assertThat(steps()).containsExactly("a|0|paused");
    assertThat(db().claim(process, 10)).isEmpty();
    resume(task.run());
    assertThat(db().claim(process).attempt()).isEqualTo(2);
  }

  @Test
  default void aReapedTaskOfAPausedRunIsParked() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(db().join(ProcessContract.GONE));
    pause(task.run());
    assertThat(db().reap()).isPresent();
    Claimed again = db().claim(process);
    assertThat(again.running()).isFalse();
    assertThat(db().fate(process, released(again))).isEqualTo(SettlementFate.PARKED);
    assertThat(db().claim(process, 10)).isEmpty();
    resume(task.run());
    Claimed resumed = db().claim(process);
    assertThat(resumed.running()).isTrue();
    assertThat(resumed.crashes()).isEqualTo(1);
  }

  @Test
  default void aSuspectStaysSuspectThroughAPause() {
    UUID process = db().join();
    UUID run = db().start();
    db().execute("update standpipe.task set state = 3, crashes = 2");
    pause(run);
    assertThat(db().claimSuspect(process)).isEmpty();
    resume(run);
    assertThat(db().claim(process, 1)).isEmpty();
    Claimed suspect = db().claimSuspect(process).orElseThrow();
    pause(run);
    db().execute("update standpipe.task set state = 3, owner = null, crashes = 2");
    assertThat(db().claimSuspect(process).orElseThrow().running()).isFalse();
    assertThat(suspect.running()).isTrue();
  }

  @Test
  default void aPausedRunRefusesOldTokensAndStrangers() {
    UUID process = db().join();
    UUID stranger = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, released(task));
    Claimed newer = db().claim(process);
    pause(task.run());
    var before = db().dump();
    assertThat(db().fate(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(stranger, Success.of(newer).endsRun().settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().dump()).isEqualTo(before);
    assertThat(db().fate(process, Success.of(newer).endsRun().settlement()))
        .isEqualTo(SettlementFate.PARKED);
  }

  @Test
  default void aCanceledPausedRunRevivesWithoutItsPause() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.of(task).next("b", false).settlement());
    pause(task.run());
    assertThat(db().store().runs().cancel(task.run(), HOUR, BY_PAT)).contains(RunStatus.CANCELING);
    assertUnchanged(() -> pauses().resume(task.run(), BY_PAT));
    assertThat(db().store().runs().finishStopping(task.run())).isTrue();
    assertThat(status(task.run())).isEqualTo(RunStatus.CANCELED);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertUnchanged(() -> pauses().pause(task.run(), BY_PAT));
    Resume again = new Resume(task.run(), List.of(new ResumedStep("b", 1, 0)), List.of());
    assertThat(
            db().store().quarantines().revive(again, new Revival(0, OptionalInt.empty(), BY_PAT)))
        .isTrue();
    assertThat(status(task.run())).isEqualTo(RunStatus.RUNNING);
    assertThat(db().claim(process).running()).isTrue();
  }

  @Test
  default void aPausedRunTakesSignalsAndItsDeadlinePasses() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, settlement(task, new Settlement.Waiting(HOUR))))
        .isEqualTo(SettlementFate.COMMITTED);
    pause(task.run());
    assertThat(steps()).containsExactly("a|0|waiting");
    Given yes = new Given(new StepId(task.run(), "a", 0), "\"yes\"", "once");
    assertThat(db().store().signals().give(yes, Optional.empty())).isEqualTo(SignalAnswer.NOW);
    assertThat(steps()).containsExactly("a|0|paused");
    assertThat(db().claim(process, 10)).isEmpty();
    assertThat(db().store().deadlines().expire(task.run(), 0)).isTrue();
    assertThat(db().store().runs().finishStopping(task.run())).isTrue();
    assertThat(status(task.run())).isEqualTo(RunStatus.HALTED);
  }

  @Test
  default void aPausePausesOneLaneOrTheWholePipeline() {
    int newer = db().store().definitions().register(StoreFixture.graph(PIPELINE, "a", "b"));
    db().store().definitions().register(StoreFixture.graph("other", "a"));
    assertThat(pauses().pause(PIPELINE, BY_PAT)).isTrue();
    assertThat(pauses().pause(PIPELINE, BY_PAT)).isFalse();
    assertThat(pauses().look().lanes()).isEqualTo(Set.of(db().lane(), newer));
    int newest = db().store().definitions().register(StoreFixture.graph(PIPELINE, "a", "c"));
    assertThat(pauses().look().lanes()).isEqualTo(Set.of(db().lane(), newer, newest));
    assertThat(pauses().pause(PIPELINE, newer, BY_PAT)).isTrue();
    String hash = StoreFixture.graph(PIPELINE, "a", "b").hash();
    assertThat(pauses().list())
        .extracting(Pause::pipeline, Pause::lane, Pause::by, Pause::reason)
        .containsExactly(
            tuple(PIPELINE, Optional.empty(), "pat", "the press is hot"),
            tuple(PIPELINE, Optional.of(new Lane(PIPELINE, hash)), "pat", "the press is hot"));
    assertThat(pauses().resume(PIPELINE, BY_PAT)).isTrue();
    assertThat(pauses().resume(PIPELINE, BY_PAT)).isFalse();
    assertThat(pauses().look().lanes()).containsExactly(newer);
    assertThat(pauses().resume(PIPELINE, newer, BY_PAT)).isTrue();
    assertThat(pauses().look()).isEqualTo(NOTHING);
    assertThat(pauses().list()).isEmpty();
    assertThat(pauses().pause(PIPELINE, newer, BY_PAT)).isTrue();
    assertThat(
            db().query(
                    "select paused_by, resumed_by, resume_reason from standpipe.pause order by id"))
        .containsExactly("pat|pat|the press is hot", "pat|pat|the press is hot", "pat|null|null");
  }
}
