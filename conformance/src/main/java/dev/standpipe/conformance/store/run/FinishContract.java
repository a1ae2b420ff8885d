package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.finished;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
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
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Runs that a step ends early. */
public interface FinishContract extends StorePart {
  /** How often each race is run. */
  int TRIALS = 250;

  long HOUR = 3_600_000_000L;

  private List<Claimed> siblings(UUID process, int runs) {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2), new Entry("c", 3));
    db().store()
        .runs()
        .start(
            db().definition(), IntStream.range(0, runs).mapToObj(i -> newRun()).toList(), entries);
    return db().claim(process, 3 * runs).stream()
        .sorted(Comparator.comparing(Claimed::run).thenComparing(Claimed::node))
        .toList();
  }

  private RunInfo info(UUID run) {
    return runQueries().find(run).orElseThrow();
  }

  private Runs runs() {
    return db().store().runs();
  }

  private RunQueries runQueries() {
    return db().store().runQueries();
  }

  @Test
  default void anEarlyEndDropsTheRemainingTasks() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 1);
    UUID run = tasks.get(0).run();
    db().settle(process, retried(tasks.get(2), Duration.ofHours(1)));
    assertThat(db().fate(process, finished(tasks.get(0), "\"early\"")))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(info(run).status()).isEqualTo(RunStatus.FINISHING);
    assertThat(info(run).haltReason()).isEmpty();
    assertThat(runQueries().halting(10)).containsExactly(run);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).containsExactly(run);

    assertThat(runs().finishStopping(run)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(info(run).haltReason()).isEmpty();
    assertThat(info(run).haltNode()).contains("a");
    assertThat(runQueries().output(run, "c")).contains("\"early\"");
    assertThat(runQueries().ended(List.of(run))).containsExactly(run);
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(runQueries().steps(run))
        .containsExactly(new StepInfo("a", 0, StepState.SUCCEEDED, 1, 0, tasks.get(0).token()));
    assertThat(runs().finishStopping(run)).isFalse();
    var before = db().dump();
    assertThat(db().fate(process, Success.of(tasks.get(1)).next("d", true).settlement()))
        .isEqualTo(SettlementFate.STALE);
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void siblingResultsWithinTheGraceAreRecorded() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 1);
    UUID run = tasks.get(0).run();
    db().settle(process, finished(tasks.get(0), "1", HOUR));
    assertThat(runs().finishStopping(run)).isFalse();
    assertThat(db().fate(process, Success.of(tasks.get(1)).next("d", true).settlement()))
        .isEqualTo(SettlementFate.DRAINED);
    assertThat(db().fate(process, failed(tasks.get(2)))).isEqualTo(SettlementFate.DRAINED);
    assertThat(runs().finishStopping(run)).isTrue();
    assertThat(info(run).status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(runQueries().value(run, "b", 0)).isPresent();
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void aFinishingRunIsNeitherCanceledNorOverdue() {
    UUID process = db().join();
    UUID run = UUID.randomUUID();
    NewRun timed = new NewRun(run, null, null, 0, "{}", "{}", 0, null, 1L, Followed.NOT);
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2));
    runs().start(db().definition(), List.of(timed), entries);
    Claimed task = db().claim(process, 2).get(0);
    db().settle(process, finished(task, "1", HOUR));
    var before = db().dump();
    assertThat(runs().cancel(run, 0, CancelContract.BY_ANN)).contains(RunStatus.FINISHING);
    assertThat(db().dump()).isEqualTo(before);
    assertThat(db().store().deadlines().expire(run, 0)).isFalse();
    assertThat(info(run).status()).isEqualTo(RunStatus.FINISHING);
  }

  @Test
  default void aSucceededRunHasTheOutputOfItsNode() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.of(task).endsRun().settlement());
    assertThat(runQueries().output(task.run(), "a")).contains(Success.valueOf("a", 0));
    assertThat(runQueries().output(task.run(), "b")).isEmpty();
  }

  @Test
  default void anExpandMayEndItsRunEarly() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    Settlement expand = Success.expand(task, 3).settlement();
    Settlement.Verdict finished = new Settlement.Finished(expand.changes().results(), "1", 0);
    assertThat(db().fate(process, StoreFixture.settlement(task, finished)))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(runs().finishStopping(task.run())).isTrue();
    assertThat(db().query("select idx from standpipe.result where node = 'a' order by idx"))
        .containsExactly("-1", "0", "1", "2");
  }

  @Test
  default void anEarlyEndDoesNotChangeAHaltingRun() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 1);
    UUID run = tasks.get(0).run();
    db().settle(process, failed(tasks.get(0)));
    assertThat(db().fate(process, finished(tasks.get(1), "1"))).isEqualTo(SettlementFate.DRAINED);
    assertThat(info(run).status()).isEqualTo(RunStatus.HALTING);
    assertThat(runQueries().output(run, "$none")).isEmpty();
    assertThat(runQueries().value(run, "b", 0)).isPresent();
  }

  @Test
  default void aBatchWithTwoEarlyEndsKeepsOne() {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, 1);
    UUID run = tasks.get(0).run();
    assertThat(
            db().settle(process, finished(tasks.get(0), "1"), finished(tasks.get(1), "2")).fates())
        .containsOnly(SettlementFate.COMMITTED);
    assertThat(runs().finishStopping(run)).isTrue();
    assertThat(runQueries().output(run, "$none").orElseThrow()).isIn("1", "2");
    assertThat(info(run).haltNode().orElseThrow())
        .isEqualTo(runQueries().output(run, "$none").orElseThrow().equals("1") ? "a" : "b");
  }

  @Test
  default void racingEarlyEndsHaveOneOutcome() {
    race(sibling -> finished(sibling, "2"));
    assertThat(db().query("select distinct status from standpipe.run"))
        .containsExactly("succeeded");
    assertThat(db().query("select value from standpipe.finish")).hasSize(TRIALS);
  }

  @Test
  default void anEarlyEndRacingWithAHaltHasOneOutcome() {
    race(StoreFixture::failed);
    assertThat(
            db().query(
                    "select count(*) from standpipe.run r where (status = 'succeeded') <>"
                        + " exists (select 1 from standpipe.finish f where f.run_id = r.id)"
                        + " or (status = 'halted') <> (halt_reason is not null)"))
        .containsExactly("0");
  }

  @Test
  default void anEarlyEndDropsTasksASiblingStartsMeanwhile() {
    race(sibling -> Success.of(sibling).starts(new NewTasks("x", 10, 0, 5, 2)).settlement());
    assertThat(db().query("select distinct status from standpipe.run"))
        .containsExactly("succeeded");
  }

  @Test
  default void anEarlyEndRacingWithACancelHasOneOutcome() {
    int trials = CancelContract.TRIALS;
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, trials);
    List<Integer> won =
        Racers.race(
            2,
            number -> {
              var store = db().another();
              int mine = 0;
              for (int i = 0; i < tasks.size(); i += 3) {
                UUID run = tasks.get(i).run();
                if (number == 0) {
                  store.tasks().settle(process, List.of(finished(tasks.get(i), "1")));
                } else {
                  RunStatus status =
                      store.runs().cancel(run, 0, CancelContract.BY_ANN).orElseThrow();
                  mine += status == RunStatus.CANCELING ? 1 : 0;
                }
                store.runs().finishStopping(run);
              }
              return mine;
            });
    runQueries().halting(2 * trials).forEach(runs()::finishStopping);
    int canceled = won.get(1);
    System.out.println("early end against cancel: " + canceled + " of " + trials + " canceled");
    assertThat(db().query("select count(*) from standpipe.run where halt_reason = 'canceled'"))
        .containsExactly(Integer.toString(canceled));
    assertThat(db().query("select count(*) from standpipe.finish"))
        .containsExactly(Integer.toString(trials - canceled));
    assertThat(db().query("select count(*) from standpipe.run where status = 'succeeded'"))
        .containsExactly(Integer.toString(trials - canceled));
    assertThat(db().query("select * from standpipe.task")).isEmpty();
    assertThat(runQueries().unwanted(UUID.randomUUID()).runs()).isEmpty();
  }

  /** The first of each run's tasks ends it while another does this; then all have ended, once. */
  private void race(Function<Claimed, Settlement> other) {
    UUID process = db().join();
    List<Claimed> tasks = siblings(process, TRIALS);
    List<Integer> ended =
        Racers.race(
            2,
            number -> {
              var store = db().another();
              int mine = 0;
              for (int i = 0; i < tasks.size(); i += 3) {
                Claimed a = tasks.get(i);
                Claimed b = tasks.get(i + 1);
                Settlement settlement = number == 0 ? finished(a, "1") : other.apply(b);
                store.tasks().settle(process, List.of(settlement));
                mine += store.runs().finishStopping(a.run()) ? 1 : 0;
              }
              return mine;
            });
    int late = 0;
    for (UUID run : runQueries().halting(2 * TRIALS)) {
      db().store().tasks().settle(process, heldOf(tasks, run));
      late += runs().finishStopping(run) ? 1 : 0;
    }
    assertThat(ended.get(0) + ended.get(1) + late).isEqualTo(TRIALS);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  /** A run that halted waits for its last task. */
  private List<Settlement> heldOf(List<Claimed> tasks, UUID run) {
    return tasks.stream()
        .filter(task -> task.run().equals(run) && task.node().equals("c"))
        .map(StoreFixture::released)
        .toList();
  }
}
