package dev.standpipe.conformance.store.process;

import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Processes.Crashed;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Processes.StepLimit;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Tasks.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the death of its process does to a task: the crash budget and what is left of it. */
public interface CrashContract extends StorePart {
  /** Has a process die with every ready task and every suspect it can get. */
  private Reaped die(int crashLimit, StepLimit... limits) {
    UUID process = db().join(ProcessContract.GONE, crashLimit, limits);
    db().claim(process, 100);
    while (db().claimSuspect(process).isPresent()) {
      // takes them all
    }
    return db().reap().orElseThrow();
  }

  /** Makes what is scheduled due at once. */
  private void fastForward() {
    db().execute("update standpipe.task set due_at = null, state = 3 where state = 2");
  }

  private List<String> states() {
    return db().query("select state, crashes from standpipe.task order by id");
  }

  @Test
  default void crashBackoffStartsAfterAThirdOfTheLimit() {
    db().start();
    List<String> seen = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      long began = System.nanoTime();
      assertThat(die(10).quarantined()).isEmpty();
      seen.addAll(states());
      Optional<Duration> due = db().store().tasks().nextDue();
      int doublings = i - 3;
      if (doublings < 0) {
        assertThat(due).isEmpty();
      } else {
        Duration wait = Duration.ofSeconds(1L << doublings);
        Duration passed = Duration.ofNanos(System.nanoTime() - began);
        assertThat(due.orElseThrow()).isLessThanOrEqualTo(wait);
        assertThat(due.orElseThrow().plus(passed))
            .as("but for what two clocks differ")
            .isGreaterThan(wait.minusMillis(10));
      }
      fastForward();
    }
    assertThat(seen).containsExactly("0|1", "3|2", "3|3", "2|4", "2|5", "2|6", "2|7", "2|8", "2|9");
  }

  @Test
  default void aTaskReturnsFromCrashBackoffAsASuspect() {
    db().start();
    die(4);
    die(4);
    assertThat(states()).containsExactly("2|2");
    await().until(() -> db().store().tasks().promote(10) == 1);
    assertThat(states()).containsExactly("3|2");
    assertThat(db().claimSuspect(db().join())).isPresent();
  }

  @Test
  default void suspectsWithTheFewestCrashesAreClaimedFirst() {
    db().start(2);
    die(10);
    die(10);
    db().start();
    UUID process = db().join();
    assertThat(db().claim(process, 10)).extracting(Claimed::crashes).containsExactly(0);
    Claimed one = db().claimSuspect(process).orElseThrow();
    db().store().processes().reapNow(process);
    UUID next = db().join();
    Claimed other = db().claimSuspect(next).orElseThrow();
    assertThat(other.run()).isNotEqualTo(one.run());
    assertThat(other.crashes()).isEqualTo(2);
    Claimed again = db().claimSuspect(next).orElseThrow();
    assertThat(again.run()).isEqualTo(one.run());
    assertThat(again.crashes()).isEqualTo(3);
    assertThat(again.token()).isEqualTo(one.token() + 1);
    assertThat(again.running()).isTrue();
    assertThat(db().claimSuspect(next)).isEmpty();
  }

  @Test
  default void aClaimTakesSuspectsOfItsLanesOnly() {
    db().start();
    die(10);
    die(10);
    assertThat(db().store().tasks().claimSuspects(db().join(), List.of(db().lane() + 1), 0, 9))
        .isEmpty();
  }

  @Test
  default void racingProcessesClaimDifferentSuspects() {
    db().start(8);
    die(10);
    die(10);
    List<UUID> processes = IntStream.range(0, 8).mapToObj(i -> db().join()).toList();
    List<List<Claimed>> taken =
        Racers.race(
            8,
            number ->
                db().another()
                    .tasks()
                    .claimSuspects(processes.get(number), List.of(db().lane()), 0, 1));
    assertThat(taken).allMatch(one -> one.size() == 1);
    assertThat(taken.stream().map(one -> one.get(0).run()).distinct()).hasSize(8);
  }

  @Test
  default void aSuspectStaysSuspectUntilItMakesProgress() {
    db().start();
    die(10);
    die(10);
    UUID process = db().join();
    db().settle(process, released(db().claimSuspect(process).orElseThrow()));
    assertThat(states()).containsExactly("3|2");
    db().settle(process, retried(db().claimSuspect(process).orElseThrow(), Duration.ZERO));
    assertThat(states()).containsExactly("3|2");
    assertThat(db().claimSuspect(process)).isPresent();
    db().store().processes().leave(process);
    assertThat(states()).containsExactly("3|2");
    UUID next = db().join();
    Claimed task = db().claimSuspect(next).orElseThrow();
    db().settle(next, Success.of(task).next("b", false).settlement());
    assertThat(states()).containsExactly("0|0");
  }

  @Test
  default void aSuspectIsShownAsReady() {
    UUID run = db().start();
    die(10);
    die(10);
    assertThat(db().store().runQueries().steps(run))
        .containsExactly(new StepInfo("a", 0, StepState.READY, 1, 2, 2));
    assertThat(db().store().definitions().unserved()).hasSize(1);
  }

  @Test
  default void theCrashLimitQuarantinesTheStepAndHaltsItsRun() {
    UUID run = db().start();
    die(3);
    die(3);
    fastForward();
    Reaped last = die(3);
    assertThat(last.tasks()).isEqualTo(1);
    assertThat(last.quarantined()).containsExactly(new Crashed(run, "a", 0, 3, 1, 3));
    RunInfo info = db().store().runQueries().find(run).orElseThrow();
    assertThat(info.status()).isEqualTo(RunStatus.HALTING);
    assertThat(info.haltReason()).contains(HaltReason.QUARANTINED);
    assertThat(info.haltNode()).contains("a");
    assertThat(db().store().runQueries().steps(run))
        .containsExactly(new StepInfo("a", 0, StepState.QUARANTINED, 1, 3, 3));
    assertThat(db().claim(db().join(), 10)).isEmpty();
    assertThat(db().claimSuspect(db().join())).isEmpty();
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    assertThat(db().store().runQueries().find(run).orElseThrow().status())
        .isEqualTo(RunStatus.HALTED);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(db().store().runQueries().attempts(run)).hasSize(3);
  }

  @Test
  default void aStepsOwnCrashLimitOverridesTheProcess() {
    StepLimit own = new StepLimit(db().lane(), "a", 4);
    StepLimit other = new StepLimit(db().lane(), "b", 3);
    db().start();
    for (int i = 0; i < 3; i++) {
      assertThat(die(3, own, other).quarantined()).isEmpty();
      fastForward();
    }
    assertThat(die(3, own, other).quarantined()).hasSize(1);
    assertThat(db().query("select * from standpipe.crash_limit")).isEmpty();
  }

  @Test
  default void anOrphanedTaskIsRecoveredWithoutACrash() {
    UUID run = db().start();
    UUID zombie = db().join();
    db().claim(zombie);
    db().overtake(zombie);
    assertThat(db().reap().orElseThrow().tasks()).isEqualTo(1);
    assertThat(db().store().runQueries().attempts(run)).hasSize(1);
    assertThat(db().claim(db().join()).crashes()).isZero();
  }

  /** Has a task with so many crashes held by somebody who is no process any more. */
  private void orphan(int crashes) {
    db().start();
    UUID zombie = db().join();
    db().claim(zombie);
    db().overtake(zombie);
    db().execute("update standpipe.task set crashes = " + crashes);
  }

  @Test
  default void anOrphanedTaskKeepsItsCrashBudget() {
    db().join(Duration.ofMinutes(1), 10, new StepLimit(db().lane(), "a", 20));
    orphan(12);
    assertThat(db().reap().orElseThrow().quarantined()).isEmpty();
    assertThat(states()).containsExactly("3|12");
  }

  @Test
  default void anOrphanedTaskOverItsLimitIsQuarantined() {
    db().join(Duration.ofMinutes(1), 10, new StepLimit(db().lane(), "b", 20));
    orphan(10);
    assertThat(db().reap().orElseThrow().quarantined()).hasSize(1);
    assertThat(db().query("select crashes from standpipe.quarantine")).containsExactly("10");
  }

  @Test
  default void anUnservedOrphanWaitsForAServingProcess() {
    orphan(12);
    assertThat(db().reap().orElseThrow().quarantined()).isEmpty();
    assertThat(states()).containsExactly("3|12");
  }

  @Test
  default void aRunQuarantinesOneStepAndDropsTheOthers() {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2), new Entry("c", 3));
    UUID run =
        db().store()
            .runs()
            .start(db().definition(), List.of(StoreFixture.newRun()), entries)
            .get(0);
    for (int i = 0; i < 2; i++) {
      die(3);
      fastForward();
    }
    UUID survivor = db().join();
    Claimed held = db().claimSuspect(survivor).orElseThrow();
    assertThat(die(3).quarantined()).hasSize(1);
    assertThat(db().store().runs().finishStopping(run)).isFalse();
    assertThat(db().store().processes().reapNow(survivor).orElseThrow().quarantined()).isEmpty();
    assertThat(held.run()).isEqualTo(run);
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(db().query("select count(*) from standpipe.quarantine")).containsExactly("1");
  }

  @Test
  default void aHaltingRunDropsItsSuspects() {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2));
    UUID run =
        db().store()
            .runs()
            .start(db().definition(), List.of(StoreFixture.newRun()), entries)
            .get(0);
    die(10);
    die(10);
    UUID process = db().join();
    db().settle(process, StoreFixture.failed(db().claimSuspect(process).orElseThrow()));
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(db().query("select * from standpipe.quarantine")).isEmpty();
  }
}
