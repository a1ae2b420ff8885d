package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.settlement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Quarantines.Revival;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Signals;
import dev.standpipe.internal.port.Signals.Act;
import dev.standpipe.internal.port.Signals.AwaitedSignal;
import dev.standpipe.internal.port.Signals.Given;
import dev.standpipe.internal.port.Signals.SignalAnswer;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Awaits that begin to wait, are signaled and expire. */
public interface SignalContract extends StorePart {
  private static Settlement waiting(Claimed task, Duration longest) {
    return settlement(task, new Settlement.Waiting(longest.toNanos() / 1_000));
  }

  private static Given signal(Claimed task, String value) {
    return signal(task, value, "value " + value);
  }

  private static Given signal(Claimed task, String value, String dedupeKey) {
    return new Given(new StepId(task.run(), task.node(), task.index()), value, dedupeKey);
  }

  private Signals signals() {
    return db().store().signals();
  }

  private SignalAnswer give(Given signal) {
    return signals().give(signal, Optional.empty());
  }

  private StepState state(Claimed task) {
    return db().store().runQueries().steps(task.run()).stream()
        .filter(step -> step.node().equals(task.node()))
        .map(StepInfo::state)
        .findFirst()
        .orElseThrow();
  }

  @Test
  default void aWaitingStepIsNotLeasedUntilItsSignal() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, waiting(task, Duration.ofDays(1))))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(state(task)).isEqualTo(StepState.WAITING);
    assertThat(db().store().tasks().promote(10)).isZero();
    assertThat(db().claim(process, 10)).isEmpty();
    assertThat(signals().find(task.run(), "a", 0)).contains(new AwaitedSignal(null, false));
    assertThat(give(signal(task, "1"))).isEqualTo(SignalAnswer.NOW);
    assertThat(signals().find(task.run(), "a", 0)).contains(new AwaitedSignal("1", false));
    Claimed again = db().claim(process);
    assertThat(again.id()).isEqualTo(task.id());
    assertThat(again.token()).isGreaterThan(task.token());
    assertThat(again.attempt()).isEqualTo(1);
  }

  @Test
  default void anEarlySignalReadiesTheAwait() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(give(signal(task, "1"))).isEqualTo(SignalAnswer.NOW);
    assertThat(db().fate(process, waiting(task, Duration.ofDays(1))))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(state(task)).isEqualTo(StepState.READY);
    assertThat(db().claim(process).id()).isEqualTo(task.id());
  }

  @Test
  default void aRepeatedSignalIsKnownAndAnotherIsRefused() {
    Claimed task = db().startAndClaim(db().join());
    assertThat(give(signal(task, "1", "first"))).isEqualTo(SignalAnswer.NOW);
    assertThat(give(signal(task, "2", "first"))).isEqualTo(SignalAnswer.BEFORE);
    assertThat(give(signal(task, "1", "second"))).isEqualTo(SignalAnswer.OTHER);
    assertThat(signals().find(task.run(), "a", 0)).contains(new AwaitedSignal("1", false));
  }

  @Test
  default void anAwaitExpiresUnlessSignaled() {
    UUID process = db().join();
    Claimed lonely = db().startAndClaim(process);
    Claimed lucky = db().startAndClaim(process);
    db().settle(process, waiting(lonely, Duration.ofMillis(1)));
    db().settle(process, waiting(lucky, Duration.ofMillis(1)));
    int[] promoted = {0};
    await().until(() -> (promoted[0] += db().store().tasks().promote(10)) == 2);
    assertThat(give(signal(lucky, "1"))).isEqualTo(SignalAnswer.NOW);
    assertThat(signals().expire(lonely.run(), "a", 0)).isEqualTo(new AwaitedSignal(null, true));
    assertThat(signals().expire(lucky.run(), "a", 0)).isEqualTo(new AwaitedSignal("1", false));
    assertThat(give(signal(lonely, "1"))).isEqualTo(SignalAnswer.EXPIRED);
  }

  @Test
  default void aSignalRacingWithTheExpiryHasOneOutcome() {
    UUID process = db().join();
    Signals other = db().another().signals();
    for (int trial = 0; trial < 1_000; trial++) {
      Claimed task = db().startAndClaim(process);
      db().settle(process, waiting(task, Duration.ofDays(1)));
      List<Object> told =
          Racers.race(
              2,
              racer ->
                  racer == 0 ? give(signal(task, "1")) : other.expire(task.run(), task.node(), 0));
      AwaitedSignal outcome = signals().find(task.run(), task.node(), 0).orElseThrow();
      boolean taken = outcome.equals(new AwaitedSignal("1", false));
      assertThat(outcome)
          .isEqualTo(taken ? new AwaitedSignal("1", false) : new AwaitedSignal(null, true));
      assertThat(told).containsExactly(taken ? SignalAnswer.NOW : SignalAnswer.EXPIRED, outcome);
      assertThat(db().claim(process, 10)).as("woken by its signal").hasSize(taken ? 1 : 0);
    }
  }

  @Test
  default void aStaleTokenCannotBeginToWait() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, StoreFixture.released(task));
    Claimed newer = db().claim(process);
    assertThat(db().fate(process, waiting(task, Duration.ofDays(1))))
        .isEqualTo(SettlementFate.STALE);
    assertThat(signals().find(newer.run(), "a", 0)).isEmpty();
    assertThat(state(newer)).isEqualTo(StepState.LEASED);
  }

  @Test
  default void aStoppedRunTakesNoNewSignal() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(give(signal(task, "1"))).isEqualTo(SignalAnswer.NOW);
    db().settle(process, failed(task));
    assertThat(give(signal(task, "2"))).isEqualTo(SignalAnswer.NOT_RUNNING);
    assertThat(give(signal(task, "1"))).isEqualTo(SignalAnswer.BEFORE);
    StepId nowhere = new StepId(UUID.randomUUID(), "a", 0);
    assertThat(give(new Given(nowhere, "1", "x"))).isEqualTo(SignalAnswer.NOT_RUNNING);
  }

  @Test
  default void aStoppedRunLeavesNoWaitingTask() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, waiting(task, Duration.ofDays(1)));
    db().store().runs().cancel(task.run(), 0, new Audited("ann", "why"));
    assertThat(db().store().runs().finishStopping(task.run())).isTrue();
    assertThat(db().query("select count(*) from standpipe.task")).containsExactly("0");
  }

  @Test
  default void aRevivedRunKeepsItsUnusedSignals() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, waiting(task, Duration.ofDays(1)));
    Given later = new Given(new StepId(task.run(), "b", 0), "2", "x");
    assertThat(give(later)).isEqualTo(SignalAnswer.NOW);
    db().store().runs().cancel(task.run(), 0, new Audited("ann", "why"));
    db().store().runs().finishStopping(task.run());
    Resume resume = new Resume(task.run(), List.of(new ResumedStep("a", 1, 0)), List.of());
    Revival revival = new Revival(0, OptionalInt.empty(), new Audited("ann", "why"));
    assertThat(db().store().quarantines().revive(resume, revival)).isTrue();
    assertThat(signals().find(task.run(), "a", 0)).isEmpty();
    assertThat(signals().find(task.run(), "b", 0)).contains(new AwaitedSignal("2", false));
  }

  @Test
  default void theAuditRecordsAnApprovalOnce() {
    Claimed task = db().startAndClaim(db().join());
    Act act = new Act("approve", new Audited("ann", "fine"));
    assertThat(signals().give(signal(task, "1"), Optional.of(act))).isEqualTo(SignalAnswer.NOW);
    assertThat(signals().give(signal(task, "1"), Optional.of(act))).isEqualTo(SignalAnswer.BEFORE);
    assertThat(db().query("select actor, action, node, reason from standpipe.audit"))
        .containsExactly("ann|approve|a|fine");
  }
}
