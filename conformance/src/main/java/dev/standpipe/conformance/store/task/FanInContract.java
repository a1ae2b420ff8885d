package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Targets that wait for several arrivals. */
public interface FanInContract extends StorePart {
  /** Starts a run with this many first tasks and claims them all. */
  private List<Claimed> parents(UUID process, int count) {
    List<Entry> entries =
        IntStream.range(0, count).mapToObj(i -> new Entry("p" + i, i + 1)).toList();
    db().store().runs().start(db().definition(), List.of(newRun()), entries);
    return db().claim(process, count);
  }

  private static Settlement arrive(Claimed task, int need, boolean leased) {
    return Success.of(task).bumps(new Bump("join", need, -1, 99, leased)).settlement();
  }

  @Test
  default void theLastArrivalOpensItsTarget() {
    UUID process = db().join();
    List<Claimed> tasks = parents(process, 3);
    assertThat(db().settle(process, arrive(tasks.get(0), 3, true)).opened()).isEmpty();
    assertThat(db().settle(process, arrive(tasks.get(1), 3, true)).opened()).isEmpty();
    assertThat(db().store().tasks().held(process)).hasSize(1);
    assertThat(db().settle(process, arrive(tasks.get(2), 3, true)).opened())
        .containsExactly(new Opened(0, 0));
    assertThat(db().store().tasks().held(process))
        .containsExactly(new TaskRef(tasks.get(0).run(), 99, 1));
  }

  @Test
  default void anOpenedTargetMayBeLeftReady() {
    UUID process = db().join();
    List<Claimed> tasks = parents(process, 2);
    db().settle(process, arrive(tasks.get(0), 2, false), arrive(tasks.get(1), 2, false));
    assertThat(db().store().tasks().held(process)).isEmpty();
    Claimed join = db().claim(process);
    assertThat(join.node()).isEqualTo("join");
    assertThat(join.id()).isEqualTo(99);
    assertThat(join.token()).isEqualTo(1);
  }

  @Test
  default void aBatchAddsUpItsArrivals() {
    UUID process = db().join();
    List<Claimed> tasks = parents(process, 5);
    Settlement[] batch =
        tasks.stream().map(task -> arrive(task, 5, false)).toArray(Settlement[]::new);
    assertThat(db().settle(process, batch).opened()).containsExactly(new Opened(0, 0));
  }

  @Test
  default void theFirstAcceptedArrivalOfABatchDecides() {
    UUID process = db().join();
    List<Claimed> tasks = parents(process, 3);
    Settlement late = arrive(tasks.get(0), 3, false);
    db().settle(process, late);
    Bump other = new Bump("other", 2, -1, 98, false);
    Bump leased = new Bump("join", 3, -1, 99, true);
    Settlement first = Success.of(tasks.get(1)).bumps(other).bumps(leased).settlement();
    Settlement second = arrive(tasks.get(2), 3, false);
    assertThat(db().settle(process, late, first, second).opened())
        .containsExactly(new Opened(1, 1));
    assertThat(db().store().tasks().held(process))
        .containsExactly(new TaskRef(tasks.get(0).run(), 99, 1));
  }

  @Test
  default void aStaleArrivalDoesNotCount() {
    UUID process = db().join();
    List<Claimed> tasks = parents(process, 2);
    db().settle(process, arrive(tasks.get(0), 2, false));
    assertThat(db().settle(process, arrive(tasks.get(0), 2, false)).fates())
        .containsExactly(SettlementFate.STALE);
    assertThat(db().query("select need, remaining from standpipe.arrival")).containsExactly("2|1");
  }

  @Test
  default void aFanInWaitsForEveryElementOfAnExpand() {
    UUID process = db().join();
    Claimed expand = db().startAndClaim(process);
    int elements = 7;
    Settlement spread =
        Success.expand(expand, elements)
            .starts(new NewTasks("item", 10, 0, elements, elements))
            .bumps(new Bump("all", 1, elements - 1, 50, true))
            .settlement();
    assertThat(db().settle(process, spread).opened()).isEmpty();
    List<Settlement> items = new ArrayList<>();
    for (int i = 0; i < elements; i++) {
      Claimed item = new Claimed(expand.run(), 10 + i, "item", i, db().lane(), 0, 1, 1, 0, true, 0);
      items.add(Success.of(item).bumps(new Bump("all", 1, -1, 50, true)).settlement());
    }
    // several at once take more off than the target needed before the expand
    assertThat(db().store().tasks().settle(process, items.subList(0, 6)).opened()).isEmpty();
    assertThat(db().query("select remaining from standpipe.arrival")).containsExactly("1");
    assertThat(db().store().tasks().settle(process, items.subList(6, 7)).opened())
        .containsExactly(new Opened(0, 0));
    assertThat(db().elements(expand.run(), "item"))
        .isEqualTo(IntStream.range(0, elements).mapToObj(i -> Success.valueOf("item", i)).toList());
  }

  @Test
  default void anEmptyExpandOpensItsFanIn() {
    UUID process = db().join();
    Claimed expand = db().startAndClaim(process);
    Settlement nothing =
        Success.expand(expand, 0).bumps(new Bump("all", 1, -1, 50, true)).settlement();
    assertThat(db().settle(process, nothing).opened()).containsExactly(new Opened(0, 0));
    assertThat(db().elements(expand.run(), "a")).isEmpty();
  }

  @Test
  default void theLastArrivalAtTheEndEndsTheRun() {
    UUID process = db().join();
    List<Claimed> tasks = parents(process, 2);
    UUID run = tasks.get(0).run();
    Bump end = new Bump(Bump.END, 2, -1, 0, false);
    db().settle(process, Success.of(tasks.get(0)).bumps(end).settlement());
    assertThat(db().store().runQueries().find(run).orElseThrow().status())
        .isEqualTo(RunStatus.RUNNING);
    assertThat(db().settle(process, Success.of(tasks.get(1)).bumps(end).settlement()).opened())
        .containsExactly(new Opened(0, 0));
    assertThat(db().store().runQueries().find(run).orElseThrow().status())
        .isEqualTo(RunStatus.SUCCEEDED);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }

  @Test
  default void racingParentsOpenTheirTargetOnce() {
    UUID process = db().join();
    int trials = 50;
    List<List<Claimed>> runs = new ArrayList<>();
    for (int i = 0; i < trials; i++) {
      runs.add(parents(process, 4));
    }
    List<Integer> opened =
        Racers.race(
            4,
            number -> {
              var store = db().another();
              int mine = 0;
              for (List<Claimed> parents : runs) {
                Settlement last = arrive(parents.get(number), 4, false);
                mine += store.tasks().settle(process, List.of(last)).opened().size();
              }
              return mine;
            });
    assertThat(opened.stream().mapToInt(Integer::intValue).sum()).isEqualTo(trials);
    assertThat(db().query("select count(*) from standpipe.task where node = 'join'"))
        .containsExactly("" + trials);
  }
}
