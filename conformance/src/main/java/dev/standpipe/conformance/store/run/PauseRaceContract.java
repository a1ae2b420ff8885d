package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.store.run.PauseContract.BY_PAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Pauses and resumes at the very moment that steps are settled. */
public interface PauseRaceContract extends StorePart {
  int TRIALS = 1_000;

  /** What one does to a task through a store of its own; what it says of it. */
  private static <T> List<T> outcomes(
      List<Claimed> tasks, CyclicBarrier together, Function<Claimed, T> action) throws Exception {
    List<T> said = new ArrayList<>();
    for (Claimed task : tasks) {
      together.await();
      said.add(action.apply(task));
    }
    return said;
  }

  private List<List<Object>> race(
      List<Claimed> tasks,
      Function<Store, Function<Claimed, Object>> one,
      Function<Store, Function<Claimed, Object>> other) {
    List<Function<Claimed, Object>> racers =
        List.of(one.apply(db().another()), other.apply(db().another()));
    CyclicBarrier together = new CyclicBarrier(2);
    return Racers.race(2, number -> outcomes(tasks, together, racers.get(number)));
  }

  private static Function<Store, Function<Claimed, Object>> settling(
      UUID process, Function<Claimed, Settlement> settlement) {
    return store ->
        task -> store.tasks().settle(process, List.of(settlement.apply(task))).fates().get(0);
  }

  /** Of tasks: those in a lane that nobody serves. */
  String PARKED = "lane in (select id from standpipe.lane where parks_for is not null)";

  private String count(String where) {
    return db().query("select count(*) from standpipe.task where " + where).get(0);
  }

  @Test
  default void settlingDuringAResumeLeavesNoTaskParked() {
    UUID process = db().join();
    db().start(TRIALS);
    List<Claimed> tasks = db().claim(process, TRIALS);
    tasks.forEach(task -> db().store().pauses().pause(task.run(), BY_PAT));
    List<List<Object>> said =
        race(
            tasks,
            settling(process, task -> Success.of(task).next("b", true).settlement()),
            store -> task -> store.pauses().resume(task.run(), BY_PAT));
    assertThat(said.get(0))
        .hasSize(TRIALS)
        .doesNotContain(SettlementFate.STALE, SettlementFate.DRAINED);
    assertThat(said.get(1)).containsOnly(true);
    long parked = said.get(0).stream().filter(SettlementFate.PARKED::equals).count();
    System.out.println("settled against resumed: " + parked + " of " + TRIALS + " parked");
    assertThat(count(PARKED)).isEqualTo("0");
    assertThat(count("state = 0")).isEqualTo(String.valueOf(parked));
    assertThat(db().store().tasks().held(process)).hasSize((int) (TRIALS - parked));
    assertThat(db().store().pauses().look()).isEqualTo(PauseContract.NOTHING);
  }

  @Test
  default void aPauseRacingTheNextStepLosesNoTask() {
    UUID process = db().join();
    db().start(TRIALS);
    List<Claimed> tasks = db().claim(process, TRIALS);
    List<List<Object>> said =
        race(
            tasks,
            settling(process, task -> Success.of(task).next("b", true).settlement()),
            store -> task -> store.pauses().pause(task.run(), BY_PAT));
    assertThat(said.get(0)).doesNotContain(SettlementFate.STALE, SettlementFate.DRAINED);
    assertThat(said.get(1)).containsOnly(true);
    long parked = said.get(0).stream().filter(SettlementFate.PARKED::equals).count();
    System.out.println("settled against paused: " + parked + " of " + TRIALS + " parked");
    assertThat(count(PARKED + " and state = 0")).isEqualTo(String.valueOf(parked));
    assertThat(db().store().tasks().held(process)).hasSize((int) (TRIALS - parked));
    tasks.forEach(task -> db().store().pauses().resume(task.run(), BY_PAT));
    assertThat(count(PARKED)).isEqualTo("0");
    assertThat(db().claim(process, TRIALS)).hasSize((int) parked);
  }

  @Test
  default void aPauseRacingTheLastStepStillEndsTheRun() {
    UUID process = db().join();
    db().start(TRIALS);
    List<Claimed> tasks = db().claim(process, TRIALS);
    List<List<Object>> said =
        race(
            tasks,
            settling(process, task -> Success.of(task).endsRun().settlement()),
            store -> task -> store.pauses().pause(task.run(), BY_PAT));
    assertThat(said.get(0)).doesNotContain(SettlementFate.STALE, SettlementFate.DRAINED);
    System.out.println(
        "ended against paused: "
            + said.get(1).stream().filter(Boolean.TRUE::equals).count()
            + " of "
            + TRIALS
            + " paused before");
    tasks.forEach(task -> assertEnded(task.run()));
    assertThat(db().store().pauses().look()).isEqualTo(PauseContract.NOTHING);
  }

  private void assertEnded(UUID run) {
    assertThat(db().store().runQueries().find(run).orElseThrow().status())
        .isEqualTo(RunStatus.SUCCEEDED);
    db().store().pauses().calm(run);
  }

  @Test
  default void aFanInOpensOnceThroughAPauseAndResume() {
    UUID process = db().join();
    List<Store> stores = List.of(db().another(), db().another(), db().another());
    for (int i = 0; i < TRIALS / 10; i++) {
      Claimed first = db().startAndClaim(process);
      db().settle(process, Success.of(first).starts(new NewTasks("b", 9, 0, 2, 2)).settlement());
      CyclicBarrier together = new CyclicBarrier(3);
      Racers.race(
          3,
          number -> {
            together.await();
            return number < 2
                ? arrive(stores.get(number), process, first, number)
                : pauseAndResume(stores.get(number), first.run());
          });
      Claimed opened = db().claim(process);
      assertThat(opened.node()).isEqualTo("z");
      assertThat(opened.running()).isTrue();
      db().settle(process, Success.of(opened).endsRun().settlement());
    }
    assertThat(count("1 = 1")).isEqualTo("0");
  }

  private static boolean pauseAndResume(Store store, UUID run) {
    assertThat(store.pauses().pause(run, BY_PAT)).isTrue();
    return store.pauses().resume(run, BY_PAT);
  }

  /** One of the two parents that a fan-in waits for. */
  private static boolean arrive(Store store, UUID process, Claimed of, int index) {
    Claimed parent =
        new Claimed(
            of.run(), 9 + index, "b", index, of.lane(), of.priority(), 1, 1, 0, true, of.seq());
    Settlement last = Success.of(parent).bumps(new Bump("z", 2, -1, 20, false)).settlement();
    return store.tasks().settle(process, List.of(last)).fates().get(0) != SettlementFate.STALE;
  }
}
