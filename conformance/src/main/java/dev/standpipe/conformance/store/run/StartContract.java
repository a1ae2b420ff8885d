package dev.standpipe.conformance.store.run;

import static dev.standpipe.conformance.fixture.StoreFixture.ENTRY;
import static dev.standpipe.conformance.fixture.StoreFixture.PIPELINE;
import static dev.standpipe.conformance.fixture.StoreFixture.graph;
import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.definition.Graph;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.RunLinks;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.RunQueries.Keyed;
import dev.standpipe.internal.port.Runs;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.TaskRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Starting runs. */
public interface StartContract extends StorePart {
  /**
   * It may have been lost in a failover, while others remember its lane. That lane may be another
   * definition's by now, even one of the same pipeline, whose steps are not what they were; or the
   * one where tasks of this very definition are parked.
   */
  @Test
  default void aStartRefusesAMissingDefinition() {
    Graph graph = db().definition().graph();
    Registered gone = new Registered(db().lane() + 1_000, graph);
    Registered replaced = new Registered(db().lane(), graph(PIPELINE, "a", "b"));
    Registered parking = new Registered(parkingLane(), graph);
    Runs runs = db().store().runs();
    List<Entry> one = List.of(ENTRY);
    List<Entry> two = List.of(new Entry("a", 1), new Entry("b", 2));
    var before = db().dump();
    for (List<NewRun> starts :
        List.of(
            List.of(newRun()),
            List.of(newRun("k", 0, 0, null)),
            List.of(newRun("k", 0, 1, null)),
            Stream.generate(() -> newRun()).limit(300).toList(),
            List.of(newRun("k", 0, 0, null), newRun("l", 0, 0, null)))) {
      for (List<Entry> entries : List.of(one, two)) {
        assertThatExceptionOfType(LaneGoneException.class)
            .isThrownBy(() -> runs.start(gone, starts, entries));
        assertThatExceptionOfType(LaneGoneException.class)
            .isThrownBy(() -> runs.start(replaced, starts, entries));
        assertThatExceptionOfType(LaneGoneException.class)
            .isThrownBy(() -> runs.start(parking, starts, entries));
      }
    }
    assertThat(db().dump()).isEqualTo(before);
  }

  /** Where tasks of the definition's runs are parked, which no process serves. */
  private int parkingLane() {
    return Integer.parseInt(
        db().query("select id from standpipe.lane where parks_for = " + db().lane()).get(0));
  }

  @Test
  default void aStartWritesTheRunItsInputAndItsFirstTasks() {
    UUID id = UUID.randomUUID();
    NewRun run =
        new NewRun(id, "order-7", "hash", 3, "{\"city\":\"Graz\"}", "{\"sku\":7}", 0, null);
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("b", 2));
    assertThat(db().store().runs().start(db().definition(), List.of(run), entries))
        .containsExactly(id);

    RunInfo info = db().store().runQueries().find(id).orElseThrow();
    assertThat(info)
        .usingRecursiveComparison()
        .ignoringFields("createdAt")
        .isEqualTo(
            new RunInfo(
                id,
                PIPELINE,
                RunStatus.RUNNING,
                Optional.of("order-7"),
                3,
                Map.of("city", "Graz"),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(),
                RunLinks.NONE,
                info.createdAt(),
                Optional.empty()));
    assertThat(db().store().runQueries().lane(id)).contains(db().lane());
    assertThat(db().store().runQueries().value(id, "$input", 0)).contains("{\"sku\":7}");
    assertThat(db().store().runQueries().steps(id))
        .containsExactly(
            new StepInfo("a", 0, StepState.READY, 1, 0, 0),
            new StepInfo("b", 0, StepState.READY, 1, 0, 0));
    assertThat(db().store().runQueries().attempts(id)).isEmpty();
    assertThat(db().store().runQueries().ended(List.of(id))).isEmpty();
  }

  @Test
  default void anUnknownRunIsNotFound() {
    UUID nobody = UUID.randomUUID();
    assertThat(db().store().runQueries().find(nobody)).isEmpty();
    assertThat(db().store().runQueries().lane(nobody)).isEmpty();
    assertThat(db().store().runQueries().steps(nobody)).isEmpty();
    assertThat(db().store().runQueries().value(nobody, "a", 0)).isEmpty();
    assertThat(db().store().runQueries().ended(List.of(nobody))).isEmpty();
  }

  @Test
  default void aStartMayLeaseItsFirstTasks() {
    UUID process = db().join();
    NewRun run = newRun(null, 0, 0, process);
    db().start(List.of(run));
    assertThat(db().store().tasks().held(process)).containsExactly(new TaskRef(run.id(), 1, 1));
    assertThat(db().claim(process, 10)).isEmpty();
  }

  /** It may not have noticed yet. Nobody would look for what is held by nobody, so it is ready. */
  @Test
  default void runsStartedByAReapedProcessAreReady() {
    UUID alive = db().join();
    UUID reaped = db().join();
    db().store().processes().reapNow(reaped);
    List<List<NewRun>> starts =
        List.of(
            List.of(newRun(null, 0, 0, reaped)),
            List.of(newRun("one", 0, 0, reaped)),
            List.of(newRun(null, 0, 0, reaped), newRun(null, 0, 0, alive)),
            List.of(newRun("two", 0, 0, reaped), newRun("three", 0, 0, alive)));
    for (List<NewRun> runs : starts) {
      assertThat(db().start(runs)).hasSameSizeAs(runs);
      UUID run = runs.get(0).id();
      assertThat(db().store().runQueries().steps(run))
          .containsExactly(new StepInfo("a", 0, StepState.READY, 1, 0, 0));
      assertThat(db().claim(alive, 10))
          .as("what is leased to one that lives stays its own")
          .singleElement()
          .satisfies(task -> assertThat(task.run()).isEqualTo(run))
          .satisfies(task -> assertThat(task.token()).isEqualTo(1));
    }
    assertThat(db().store().tasks().held(reaped)).isEmpty();
    assertThat(db().store().tasks().held(alive)).hasSize(6);
  }

  @Test
  default void aSecondStartWithOneKeyStartsNothing() {
    UUID first = db().start(List.of(newRun("k", 0, 0, null))).get(0);
    Map<String, List<String>> before = db().dump();
    assertThat(db().start(List.of(newRun("k", 0, 0, null)))).isEmpty();
    assertThat(db().dump()).isEqualTo(before);
    assertThat(db().store().runQueries().keyed(PIPELINE, List.of("k", "none")))
        .containsExactly(new Keyed(first, "k", "k"));
    assertThat(db().store().runQueries().keyed("other", List.of("k"))).isEmpty();
  }

  @Test
  default void keysAreUniquePerPipeline() {
    NewRun one = newRun("k", 0, 0, null);
    NewRun two = newRun("k", 0, 0, null);
    db().start(List.of(one));
    Registered other = db().register("other");
    assertThat(db().store().runs().start(other, List.of(two), List.of(ENTRY)))
        .containsExactly(two.id());
  }

  @Test
  default void aBatchStartsOnlyFreshKeys() {
    db().start(List.of(newRun("k1", 0, 0, null)));
    NewRun taken = newRun("k1", 0, 0, null);
    NewRun fresh = newRun("k2", 0, 0, null);
    NewRun again = newRun("k2", 0, 0, null);
    NewRun unkeyed = newRun();
    assertThat(db().start(List.of(taken, fresh, again, unkeyed)))
        .containsExactlyInAnyOrder(fresh.id(), unkeyed.id());
    assertThat(db().query("select count(*) from standpipe.run")).containsExactly("3");
    assertThat(db().query("select count(*) from standpipe.task")).containsExactly("3");
    assertThat(db().query("select count(*) from standpipe.result")).containsExactly("3");
  }

  @Test
  default void startingARunTwiceChangesNothing() {
    NewRun run = newRun();
    assertThat(db().start(List.of(run))).hasSize(1);
    Map<String, List<String>> before = db().dump();
    // Ids are new, so a store need not ask: it may refuse this one, or leave it out.
    Throwable refused = catchThrowable(() -> db().start(List.of(run)));
    assertThat(refused)
        .satisfiesAnyOf(
            e -> assertThat(e).isNull(), e -> assertThat(e).isInstanceOf(StoreException.class));
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void aThousandRunsStartInOneCall() {
    List<UUID> started = db().start(1_000);
    assertThat(new HashSet<>(started)).hasSize(1_000);
    assertThat(db().claim(db().join(), 2_000)).hasSize(1_000);
  }

  @Test
  default void racingStartersStartAKeyOnce() {
    List<UUID> winners = new ArrayList<>();
    Racers.race(
            4,
            number -> {
              List<UUID> mine = new ArrayList<>();
              Store store = db().another();
              for (int i = 0; i < 50; i++) {
                List<NewRun> runs = List.of(newRun("key-" + i, 0, 0, null));
                mine.addAll(store.runs().start(db().definition(), runs, List.of(ENTRY)));
              }
              return mine;
            })
        .forEach(winners::addAll);
    assertThat(winners).hasSize(50);
    assertThat(db().query("select count(*) from standpipe.task")).containsExactly("50");
  }

  @Test
  default void aDelayedStartIsReadyOnlyWhenDue() {
    UUID process = db().join();
    long began = System.nanoTime();
    UUID soon = db().start(List.of(newRun(null, 0, 300_000, null))).get(0);
    db().start(List.of(newRun(null, 0, 3_600_000_000L, null)));
    assertThat(db().store().runQueries().steps(soon).get(0).state()).isEqualTo(StepState.SCHEDULED);
    assertThat(db().store().tasks().nextDue().orElseThrow())
        .isBetween(Duration.ZERO, Duration.ofMillis(300));
    assertThat(db().claim(process, 10)).isEmpty();

    await().until(() -> db().store().tasks().promote(10) == 1);
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .as("not before its time, but for what two clocks differ")
        .isGreaterThan(Duration.ofMillis(290));
    assertThat(db().claim(process).run()).isEqualTo(soon);
    assertThat(db().store().tasks().nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofMinutes(60));
  }

  @Test
  default void tasksNotYetDueAreNotPromoted() {
    db().start(List.of(newRun(null, 0, 3_600_000_000L, null)));
    assertThat(db().store().tasks().promote(10)).isZero();
    assertThat(db().claim(db().join(), 10)).isEmpty();
  }

  @Test
  default void nothingIsDueWhenNothingIsScheduled() {
    db().start();
    assertThat(db().store().tasks().nextDue()).isEmpty();
    assertThat(db().store().tasks().promote(10)).isZero();
  }

  @Test
  default void promotionKeepsItsLimitAndTheDueOrder() {
    List<NewRun> runs =
        List.of(
            newRun(null, 0, 3_000_000, null),
            newRun(null, 0, 100_000, null),
            newRun(null, 0, 1_500_000, null));
    db().start(runs);
    await()
        .pollDelay(Duration.ofSeconds(3))
        .until(() -> db().store().tasks().nextDue().orElseThrow().isZero());
    assertThat(db().store().tasks().promote(2)).isEqualTo(2);
    assertThat(db().store().tasks().promote(2)).isEqualTo(1);
    assertThat(db().claim(db().join(), 3))
        .extracting(task -> task.run())
        .containsExactly(runs.get(1).id(), runs.get(2).id(), runs.get(0).id());
  }
}
