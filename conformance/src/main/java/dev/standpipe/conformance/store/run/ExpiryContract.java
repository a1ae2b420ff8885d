package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Deadlines;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Runs that have a deadline, at a store. */
public interface ExpiryContract extends StorePart {
  long HOUR = 3_600_000_000L;

  private static NewRun within(Duration time, @Nullable String key) {
    NewRun run = newRun(key, 0, 0, null);
    long micros = time.toNanos() / 1000;
    return new NewRun(
        run.id(), run.key(), run.keyHash(), 0, "{}", "{}", 0, null, micros, Followed.NOT);
  }

  private Deadlines deadlines() {
    return db().store().deadlines();
  }

  private Runs runs() {
    return db().store().runs();
  }

  private RunQueries runQueries() {
    return db().store().runQueries();
  }

  private UUID startOverdue() {
    UUID run = db().start(List.of(within(Duration.ofNanos(1000), null))).get(0);
    await().until(() -> deadlines().overdue(10_000).contains(run));
    return run;
  }

  private RunInfo info(UUID run) {
    return runQueries().find(run).orElseThrow();
  }

  @Test
  default void onlyRunsWithADeadlineAreEverOverdue() {
    db().start(3);
    assertThat(deadlines().next()).isEmpty();
    UUID later = db().start(List.of(within(Duration.ofHours(1), null))).get(0);
    assertThat(deadlines().next().orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
    assertThat(deadlines().overdue(10)).isEmpty();
    UUID overdue = startOverdue();
    assertThat(deadlines().overdue(10)).containsExactly(overdue).doesNotContain(later);
    assertThat(deadlines().next()).contains(Duration.ZERO);
  }

  @Test
  default void aSecondStartUnderAKeyAddsNoDeadline() {
    NewRun first = newRun("key", 0, 0, null);
    db().start(List.of(first));
    assertThat(db().start(List.of(within(Duration.ofHours(1), "key")))).isEmpty();
    assertThat(deadlines().next()).isEmpty();
  }

  @Test
  default void anOverdueRunGivesItsBodiesAGrace() {
    UUID process = db().join();
    UUID run = UUID.randomUUID();
    NewRun timed = new NewRun(run, null, null, 0, "{}", "{}", 0, null, 1L, Followed.NOT);
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2), new Entry("c", 3));
    runs().start(db().definition(), List.of(timed), entries);
    List<Claimed> tasks = db().claim(process, 2);
    await().until(() -> deadlines().overdue(10).contains(run));

    assertThat(deadlines().expire(run, HOUR)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTING);
    assertThat(info(run).haltReason()).contains(HaltReason.DEADLINE);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).containsExactly(run);
    assertThat(runQueries().halting(10)).containsExactly(run);
    assertThat(deadlines().overdue(10)).isEmpty();
    assertThat(deadlines().expire(run, HOUR)).isFalse();
    assertThat(runs().finishStopping(run)).isFalse();
    assertThat(db().fate(process, retried(tasks.get(0), Duration.ofHours(1))))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(db().fate(process, Success.of(tasks.get(1)).endsRun().settlement()))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(runs().finishStopping(run)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTED);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void anOverdueBodyIsCutOffAfterTheGrace() {
    UUID process = db().join();
    UUID run = startOverdue();
    Claimed task = db().claim(process);
    deadlines().expire(run, 0);
    assertThat(runs().finishStopping(run)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTED);
    assertThat(db().fate(process, Success.of(task).endsRun().settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(runQueries().attempts(run))
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.CANCELED);
  }

  @Test
  default void anOverdueRunCanBeCanceled() {
    UUID process = db().join();
    UUID run = startOverdue();
    db().claim(process);
    deadlines().expire(run, 0);
    assertThat(runs().cancel(run, HOUR, CancelContract.BY_ANN)).contains(RunStatus.CANCELING);
    assertThat(runs().finishStopping(run)).as("the grace is that of the deadline").isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.CANCELED);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
  }

  @Test
  default void anEndedRunForgetsItsDeadline() {
    UUID process = db().join();
    UUID run = startOverdue();
    db().settle(process, Success.of(db().claim(process)).endsRun().settlement());
    assertThat(deadlines().expire(run, HOUR)).isFalse();
    assertThat(info(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(db().query("select * from standpipe.deadline")).isEmpty();
  }

  @Test
  default void aDeadlineKeepsTheReasonOfAHaltingRun() {
    UUID process = db().join();
    UUID run = startOverdue();
    db().settle(process, failed(db().claim(process)));
    assertThat(deadlines().expire(run, HOUR)).isFalse();
    assertThat(runs().finishStopping(run)).isTrue();
    assertThat(info(run).haltReason()).contains(HaltReason.RETRIES_EXHAUSTED);
  }

  @Test
  default void aDeadlineRacingWithTheEndHasOneOutcome() {
    race(CancelContract.TRIALS, task -> Success.of(task).endsRun().settlement());
    assertThat(db().query("select distinct status, halt_reason from standpipe.run order by status"))
        .isSubsetOf("halted|deadline", "succeeded|null");
    assertThat(
            db().query(
                    "select count(*) from standpipe.run r where status = 'succeeded' and not"
                        + " exists (select 1 from standpipe.result x where x.run_id = r.id and node = 'a')"))
        .containsExactly("0");
  }

  @Test
  default void aPassingDeadlineDropsTasksStartedMeanwhile() {
    race(
        FinishContract.TRIALS,
        task -> Success.of(task).starts(new NewTasks("x", 10, 0, 4, 2)).settlement());
    assertThat(db().query("select distinct halt_reason from standpipe.run"))
        .containsExactly("deadline");
  }

  /**
   * Passes the deadline of many runs while somebody settles their only task; all have ended then.
   */
  private void race(int trials, Function<Claimed, Settlement> settlement) {
    UUID process = db().join();
    db().start(
            IntStream.range(0, trials)
                .mapToObj(i -> within(Duration.ofNanos(1000), null))
                .toList());
    await().until(() -> deadlines().overdue(trials).size() == trials);
    List<Claimed> tasks = db().claim(process, trials);
    Racers.race(
        2,
        number -> {
          var store = db().another();
          for (Claimed task : tasks) {
            if (number == 0) {
              store.tasks().settle(process, List.of(settlement.apply(task)));
            } else {
              store.deadlines().expire(task.run(), 0);
              store.runs().finishStopping(task.run());
            }
          }
          return true;
        });
    for (Claimed task : tasks) {
      deadlines().expire(task.run(), 0);
      runs().finishStopping(task.run());
    }
    assertThat(db().query("select count(*) from standpipe.run where finished_at is null"))
        .containsExactly("0");
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(db().query("select * from standpipe.deadline")).isEmpty();
  }
}
