package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.released;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.conformance.store.process.ProcessContract;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.Cancellation;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** Runs that are canceled. */
public interface CancelContract extends StorePart {
  Audited BY_ANN = new Audited("ann", "a duplicate");
  Audited BY_BOB = new Audited("bob", "me too");
  long HOUR = 3_600_000_000L;
  int TRIALS = 1_000;

  private Runs runs() {
    return db().store().runs();
  }

  private RunQueries runQueries() {
    return db().store().runQueries();
  }

  private RunInfo info(UUID run) {
    return runQueries().find(run).orElseThrow();
  }

  @Test
  default void aCancelEndsAnIdleRunAtOnce() {
    UUID run = db().start();
    UUID other = db().start();
    assertThat(runs().cancel(run, HOUR, BY_ANN)).contains(RunStatus.CANCELING);
    assertThat(info(run).status()).isEqualTo(RunStatus.CANCELING);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).containsExactly(run);
    assertThat(runs().finishStopping(run)).isTrue();
    RunInfo info = info(run);
    assertThat(info.status()).isEqualTo(RunStatus.CANCELED);
    assertThat(info.haltReason()).contains(HaltReason.CANCELED);
    assertThat(info.cancellation()).contains(new Cancellation("ann", "a duplicate"));
    assertThat(info.finishedAt()).isPresent();
    assertThat(runQueries().ended(List.of(run, other))).containsExactly(run);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
    assertThat(runQueries().halting(10)).isEmpty();
    assertThat(db().query("select actor, action, node, idx, reason from standpipe.audit"))
        .containsExactly("ann|cancel|null|null|a duplicate");
    assertThat(db().claim(db().join()).run()).isEqualTo(other);
    assertThat(info(other).cancellation()).isEmpty();
  }

  @Test
  default void aCanceledRunRecordsResultsWithinTheGrace() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    runs().cancel(task.run(), HOUR, BY_ANN);
    assertThat(runs().finishStopping(task.run())).isFalse();
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.CANCELING);
    assertThat(db().fate(process, Success.of(task).next("b", true).settlement()))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(runs().finishStopping(task.run())).isTrue();
    assertThat(runQueries().value(task.run(), "a", 0)).contains(Success.valueOf("a", 0));
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void aBodyCutOffByACancelCannotSettle() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Claimed innocent = db().startAndClaim(process);
    runs().cancel(task.run(), 0, BY_ANN);
    assertThat(runs().finishStopping(task.run())).isTrue();
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(runQueries().attempts(task.run()))
        .extracting(AttemptInfo::outcome, AttemptInfo::token, AttemptInfo::process)
        .containsExactly(tuple(AttemptOutcome.CANCELED, task.token(), process));
    Settlement lost = Success.of(task).settlement();
    assertThat(db().store().tasks().recorded(List.of(lost))).containsExactly(false);
    var before = db().dump();
    assertThat(db().fate(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(process, failed(task))).isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(process, released(task))).isEqualTo(SettlementFate.STALE);
    assertThat(db().dump()).isEqualTo(before);
    assertThat(db().fate(process, Success.of(innocent).endsRun().settlement()))
        .isEqualTo(SettlementFate.COMMITTED);
  }

  @Test
  default void aSweepEndsCanceledRunsOfDeadProcesses() {
    Claimed task = db().startAndClaim(db().join(ProcessContract.GONE));
    runs().cancel(task.run(), HOUR, BY_ANN);
    assertThat(runQueries().halting(10)).containsExactly(task.run());
    assertThat(runs().finishStopping(task.run())).isFalse();
    assertThat(db().reap()).isPresent();
    assertThat(runs().finishStopping(task.run())).isTrue();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void aTaskClaimedAfterTheCancelDoesNotRun() {
    UUID process = db().join();
    UUID run = db().start();
    runs().cancel(run, HOUR, BY_ANN);
    Claimed task = db().claim(process);
    assertThat(task.running()).isFalse();
    assertThat(db().fate(process, released(task))).isEqualTo(SettlementFate.DRAINED);
    assertThat(runs().finishStopping(run)).isTrue();
  }

  @Test
  default void aSecondCancelChangesNothing() {
    Claimed task = db().startAndClaim(db().join());
    runs().cancel(task.run(), HOUR, BY_ANN);
    var canceling = db().dump();
    assertThat(runs().cancel(task.run(), 0, BY_BOB)).contains(RunStatus.CANCELING);
    assertThat(db().dump()).isEqualTo(canceling);
    db().execute("update standpipe.canceling set cut_off_at = cut_off_at - " + hour());
    assertThat(runs().finishStopping(task.run())).isTrue();
    var canceled = db().dump();
    assertThat(runs().cancel(task.run(), 0, BY_BOB)).contains(RunStatus.CANCELED);
    assertThat(runs().finishStopping(task.run())).isFalse();
    assertThat(db().dump()).isEqualTo(canceled);
  }

  private String hour() {
    return db().dialect().name().equals("sqlite") ? "3600000000" : "interval '1 hour'";
  }

  @Test
  default void aCancelLeavesEndedRunsAlone() {
    UUID process = db().join();
    Claimed good = db().startAndClaim(process);
    db().settle(process, Success.of(good).endsRun().settlement());
    Claimed bad = db().startAndClaim(process);
    db().settle(process, failed(bad));
    runs().finishStopping(bad.run());
    var before = db().dump();
    assertThat(runs().cancel(good.run(), HOUR, BY_ANN)).contains(RunStatus.SUCCEEDED);
    assertThat(runs().cancel(bad.run(), HOUR, BY_ANN)).contains(RunStatus.HALTED);
    assertThat(runs().cancel(UUID.randomUUID(), HOUR, BY_ANN)).isEmpty();
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aHaltingRunCanBeCanceled() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, failed(task));
    assertThat(runs().cancel(task.run(), HOUR, BY_ANN)).contains(RunStatus.CANCELING);
    assertThat(runQueries().halting(10)).containsExactly(task.run());
    assertThat(runs().finishStopping(task.run())).isTrue();
    assertThat(info(task.run()).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(info(task.run()).haltNode()).isEmpty();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void aCancelRacingTheLastStepHasOneOutcome() {
    UUID process = db().join();
    db().start(TRIALS);
    List<Claimed> tasks = new ArrayList<>(db().claim(process, TRIALS));
    tasks.sort(Comparator.comparing(Claimed::run));
    List<Store> stores = List.of(db().another(), db().another());
    CyclicBarrier together = new CyclicBarrier(2);
    List<List<Boolean>> said =
        Racers.race(
            2,
            number -> {
              List<Boolean> succeeded = new ArrayList<>();
              for (int i = 0; i < TRIALS; i++) {
                Claimed task = tasks.get(i);
                together.await();
                succeeded.add(
                    number == 0
                        ? finish(stores.get(0), process, task, i % 2 == 0)
                        : cancel(stores.get(1), task.run()) == RunStatus.SUCCEEDED);
              }
              return succeeded;
            });
    assertThat(said.get(0)).as("both were told the same").isEqualTo(said.get(1));
    tasks.forEach(task -> runs().finishStopping(task.run()));
    long succeeded = said.get(0).stream().filter(yes -> yes).count();
    System.out.println("cancel against completion: " + succeeded + " of " + TRIALS + " succeeded");
    for (int i = 0; i < TRIALS; i++) {
      assertThat(info(tasks.get(i).run()).status())
          .isEqualTo(said.get(0).get(i) ? RunStatus.SUCCEEDED : RunStatus.CANCELED);
    }
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
    assertThat(db().query("select count(*) from standpipe.audit"))
        .containsExactly(String.valueOf(TRIALS - succeeded));
  }

  /** Whether whoever settles the last step may say that the run has succeeded. */
  private static boolean finish(Store store, UUID process, Claimed task, boolean directly) {
    Settlement last =
        directly
            ? Success.of(task).endsRun().settlement()
            : Success.of(task).bumps(new Bump(Bump.END, 1, -1, 0, false)).settlement();
    Reply reply = store.tasks().settle(process, List.of(last));
    return reply.fates().get(0) == SettlementFate.COMMITTED && reply.stopped().isEmpty();
  }

  private static RunStatus cancel(Store store, UUID run) {
    Optional<RunStatus> status = store.runs().cancel(run, HOUR, BY_ANN);
    store.runs().finishStopping(run);
    return status.orElseThrow();
  }
}
