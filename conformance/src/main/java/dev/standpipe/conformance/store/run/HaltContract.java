package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Runs that halt. */
public interface HaltContract extends StorePart {
  /** Starts a run of four tasks and claims the first two: the third is ready, the last waits. */
  private List<Claimed> siblings(UUID process) {
    List<Entry> entries =
        List.of(new Entry("a", 1), new Entry("b", 2), new Entry("c", 3), new Entry("d", 4));
    db().store().runs().start(db().definition(), List.of(newRun()), entries);
    List<Claimed> tasks = db().claim(process, 4);
    Claimed third = tasks.get(2);
    db().settle(process, released(third), retried(tasks.get(3), Duration.ofHours(1)));
    return tasks.subList(0, 2);
  }

  private RunInfo info(UUID run) {
    return db().store().runQueries().find(run).orElseThrow();
  }

  @Test
  default void aStepThatFailsForGoodHaltsItsRun() {
    UUID process = db().join();
    Claimed task = siblings(process).get(0);
    assertThat(db().fate(process, failed(task))).isEqualTo(SettlementFate.COMMITTED);
    RunInfo run = info(task.run());
    assertThat(run.status()).isEqualTo(RunStatus.HALTING);
    assertThat(run.haltReason()).contains(HaltReason.RETRIES_EXHAUSTED);
    assertThat(run.haltNode()).contains("a");
    assertThat(run.finishedAt()).isEmpty();
    assertThat(db().store().runQueries().halting(10)).containsExactly(task.run());
    assertThat(db().store().runQueries().steps(task.run()))
        .contains(new StepInfo("a", 0, StepState.FAILED, 1, 0, task.token()));
    assertThat(db().store().runQueries().attempts(task.run()))
        .filteredOn(attempt -> attempt.node().equals("a"))
        .extracting(attempt -> attempt.outcome())
        .containsExactly(AttemptOutcome.FAILED);
    assertThat(db().store().runQueries().value(task.run(), "a", 0)).isEmpty();
  }

  @Test
  default void aHaltingRunEndsWithItsLastLease() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    UUID run = tasks.get(0).run();
    db().settle(process, failed(tasks.get(0)));
    assertThat(db().store().runs().finishStopping(run)).isFalse();
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTING);
    assertThat(db().query("select node, state from standpipe.task order by node"))
        .containsExactly("a|4", "b|1");

    assertThat(db().fate(process, Success.of(tasks.get(1)).next("e", true).settlement()))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTED);
    assertThat(info(run).finishedAt()).isPresent();
    assertThat(db().store().runs().finishStopping(run)).isFalse();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(db().store().runQueries().halting(10)).isEmpty();
    assertThat(db().store().runQueries().ended(List.of(run))).containsExactly(run);
  }

  @Test
  default void aHaltingRunRecordsTheSiblingsResult() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    UUID run = tasks.get(0).run();
    db().settle(process, failed(tasks.get(0)));
    var reply =
        db().settle(
                process,
                Success.of(tasks.get(1))
                    .starts(new NewTasks("x", 10, 0, 3, 1))
                    .bumps(new Bump("y", 1, -1, 20, true))
                    .settlement());
    assertThat(reply.fates()).containsExactly(SettlementFate.DRAINED);
    assertThat(reply.opened()).isEmpty();
    assertThat(db().store().runQueries().value(run, "b", 0)).contains(Success.valueOf("b", 0));
    assertThat(db().query("select node from standpipe.task where state <> 4 order by node"))
        .containsExactly("c", "d");
    assertThat(db().query("select * from standpipe.arrival")).isEmpty();
  }

  @Test
  default void theLastStepOfAHaltingRunIsDrained() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    db().settle(process, failed(tasks.get(0)));
    assertThat(db().fate(process, Success.of(tasks.get(1)).endsRun().settlement()))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(info(tasks.get(0).run()).status()).isEqualTo(RunStatus.HALTING);
  }

  @Test
  default void aFailingSiblingKeepsTheHaltReason() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    UUID run = tasks.get(0).run();
    db().settle(process, failed(tasks.get(0)));
    assertThat(db().fate(process, failed(tasks.get(1)))).isEqualTo(SettlementFate.DRAINED);
    assertThat(info(run).haltNode()).contains("a");
    assertThat(db().store().runQueries().steps(run))
        .contains(new StepInfo("b", 0, StepState.FAILED, 1, 0, tasks.get(1).token()));
    assertThat(db().store().runs().finishStopping(run)).isTrue();
  }

  @Test
  default void aHaltingRunDropsAReleasedSibling() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    db().settle(process, failed(tasks.get(0)));
    assertThat(db().fate(process, released(tasks.get(1)))).isEqualTo(SettlementFate.DRAINED);
    assertThat(db().store().runs().finishStopping(tasks.get(0).run())).isTrue();
  }

  @Test
  default void aDrainedSettlementIsStaleTheSecondTime() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    db().settle(process, failed(tasks.get(0)));
    db().settle(process, Success.of(tasks.get(1)).settlement());
    var before = db().dump();
    assertThat(db().fate(process, Success.of(tasks.get(1)).settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aHaltingRunRefusesOldTokensAndStrangers() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    Claimed old = tasks.get(1);
    db().settle(process, released(old));
    Claimed held =
        db().claim(process, 2).stream().filter(t -> t.node().equals("b")).findAny().orElseThrow();
    db().settle(process, failed(tasks.get(0)));
    var before = db().dump();
    assertThat(db().fate(process, Success.of(old).settlement())).isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(db().join(), Success.of(held).settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().dump().get("task")).isEqualTo(before.get("task"));
    assertThat(db().dump().get("result")).isEqualTo(before.get("result"));
  }

  @Test
  default void twoFailuresInABatchHaltTheirRunOnce() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process);
    UUID run = tasks.get(0).run();
    assertThat(db().settle(process, failed(tasks.get(0)), failed(tasks.get(1))).fates())
        .containsOnly(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().halting(10)).containsExactly(run);
    assertThat(db().store().runs().finishStopping(run)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTED);
  }

  @Test
  default void finishStoppingLeavesRunningRunsAlone() {
    Claimed task = db().startAndClaim(db().join());
    UUID ended = db().start();
    assertThat(db().store().runs().finishStopping(task.run())).isFalse();
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(db().store().runs().finishStopping(ended)).isFalse();
    assertThat(db().claim(db().join()).run()).isEqualTo(ended);
  }

  @Test
  default void haltingListsNoMoreThanItsLimit() {
    UUID process = db().join();
    db().start(5);
    db().claim(process, 5).forEach(task -> db().settle(process, failed(task)));
    assertThat(db().store().runQueries().halting(3)).hasSize(3).doesNotHaveDuplicates();
    assertThat(db().store().runQueries().halting(10)).hasSize(5);
  }

  @Test
  default void racingProcessesEndAHaltingRunOnce() {
    UUID process = db().join();
    db().start(40);
    List<Claimed> tasks = db().claim(process, 40);
    tasks.forEach(task -> db().settle(process, failed(task)));
    List<Long> ended =
        Racers.race(
            3,
            number -> {
              var runs = db().another().runs();
              return tasks.stream().filter(task -> runs.finishStopping(task.run())).count();
            });
    assertThat(ended.stream().mapToLong(Long::longValue).sum()).isEqualTo(40);
  }

  @Test
  default void haltingContinuesAfterTheGivenRun() {
    UUID process = db().join();
    db().start(5);
    db().claim(process, 5).forEach(task -> db().settle(process, failed(task)));
    List<UUID> all = db().store().runQueries().halting(10);
    assertThat(db().store().runQueries().halting(all.get(2), 10)).isEqualTo(all.subList(3, 5));
    assertThat(db().store().runQueries().halting(all.get(4), 10)).isEmpty();
  }
}
