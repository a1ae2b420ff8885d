package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.settlement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.standpipe.HaltReason;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Quarantines.Unfinished;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Expanding;
import dev.standpipe.internal.port.Settlement.NewTasks;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Expands that yield some of their elements and go on. */
public interface ChunkContract extends StorePart {
  /** As an expand fails, beside its elements. */
  Settlement.Failed FAILED =
      new Settlement.Failed(
          AttemptOutcome.FAILED, StoreFixture.error(), HaltReason.RETRIES_EXHAUSTED, true);

  private static Settlement chunk(Claimed task, int first, int count, boolean leased) {
    List<Value> elements =
        IntStream.range(first, first + count)
            .mapToObj(i -> new Value(task.node(), i, Success.valueOf(task.node(), i), true))
            .toList();
    return settlement(
        task,
        new Expanding(
            elements,
            new Next(task.node(), task.index(), leased),
            List.of(new NewTasks("item", 100 + first, first, count, 1)),
            List.of(new Bump("all", 1, count, 50, false))));
  }

  /** The same task with the token that a chunk has given it. */
  private static Claimed after(Claimed task) {
    return new Claimed(
        task.ref().handedOn(),
        task.node(),
        task.index(),
        task.lane(),
        task.priority(),
        task.attempt(),
        0,
        true,
        task.seq(),
        null);
  }

  @Test
  default void aChunkAddsElementsAndRaisesTheExpandsToken() {
    UUID process = db().join();
    db().settle(process, StoreFixture.retried(db().startAndClaim(process), Duration.ZERO));
    Claimed task = db().claim(process);
    assertThat(task.attempt()).isEqualTo(2);
    assertThat(db().fate(process, chunk(task, 0, 3, true))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().elements(task.run(), "a")).hasSize(3);
    assertThat(db().store().tasks().held(process))
        .containsExactlyInAnyOrder(task.ref().handedOn(), new TaskRef(task.run(), 100, 1));
    assertThat(db().query("select attempt from standpipe.task where id = " + task.id()))
        .containsExactly("2");
    assertThat(db().query("select remaining from standpipe.arrival")).containsExactly("4");
    assertThat(db().fate(process, chunk(task, 0, 3, true))).isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(process, chunk(after(task), 3, 2, true)))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().elements(task.run(), "a")).hasSize(5);
    assertThat(db().query("select remaining from standpipe.arrival")).containsExactly("6");
  }

  @Test
  default void aReleasedExpandIsReadyForOtherProcesses() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, chunk(task, 0, 1, false))).isEqualTo(SettlementFate.COMMITTED);
    Claimed again = db().claim(db().join());
    assertThat(again.node()).isEqualTo("a");
    assertThat(again.token()).isEqualTo(task.token() + 2);
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(db().store().tasks().lastElement(task.run(), "a", 0, 99)).hasValue(0);
  }

  @Test
  default void theLastElementTellsTheProgressOfAnExpand() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().store().tasks().lastElement(task.run(), "a", 0, 99)).isEmpty();
    db().settle(process, chunk(task, 0, 7, true));
    assertThat(db().store().tasks().lastElement(task.run(), "a", 0, 99)).hasValue(6);
    assertThat(db().store().tasks().lastElement(task.run(), "a", 0, 4)).hasValue(4);
    assertThat(db().store().tasks().lastElement(task.run(), "b", 0, 99)).isEmpty();
    assertThat(db().store().tasks().lastElement(db().start(), "a", 0, 99)).isEmpty();
  }

  @Test
  default void aChunkResetsTheCrashCount() {
    UUID first = db().join();
    db().startAndClaim(first);
    db().store().processes().reapNow(first);
    UUID process = db().join();
    Claimed task = db().claim(process);
    assertThat(task.crashes()).isEqualTo(1);
    assertThat(db().fate(process, chunk(task, 0, 3, true))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().query("select crashes from standpipe.task where id = " + task.id()))
        .containsExactly("0");
  }

  @Test
  default void theLedgerFindsAChunkByElementAndToken() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, chunk(task, 0, 3, true));
    db().settle(process, chunk(after(task), 3, 3, true));
    Claimed first = task;
    Claimed second = after(task);
    Claimed third = after(second);
    assertThat(
            db().store()
                .tasks()
                .recorded(List.of(trace(first, 0), trace(second, 3), trace(third, 6))))
        .containsExactly(true, true, false);
  }

  private static Settlement trace(Claimed task, int first) {
    return new Settlement(
        task.ref(),
        task.node(),
        first,
        task.lane(),
        task.priority(),
        task.attempt(),
        0,
        new Settlement.Released());
  }

  @Test
  default void liveStepsAreCountedUpToALimit() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, chunk(task, 0, 7, true));
    assertThat(db().store().tasks().live(task.run(), List.of("item", "b"), 100)).isEqualTo(7);
    assertThat(db().store().tasks().live(task.run(), List.of("item", "a"), 100)).isEqualTo(8);
    assertThat(db().store().tasks().live(task.run(), List.of("item"), 5)).isEqualTo(5);
    assertThat(db().store().tasks().live(task.run(), List.of("b"), 5)).isZero();
    db().start();
    assertThat(db().store().tasks().live(task.run(), List.of("item", "a"), 100)).isEqualTo(8);
    db().settle(process, settlement(after(task), FAILED));
    assertThat(db().store().tasks().live(task.run(), List.of("item", "a"), 100)).isEqualTo(7);
  }

  @Test
  default void anExpandMayFailBesideItsElements() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, chunk(task, 0, 2, true));
    assertThat(db().fate(process, settlement(after(task), FAILED)))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().steps(task.run()))
        .filteredOn(step -> step.node().equals("a"))
        .extracting(StepInfo::index, StepInfo::state)
        .containsExactly(tuple(0, StepState.FAILED));
    assertThat(db().store().quarantines().unfinished(task.run()))
        .containsExactly(new Unfinished("a", 2));
  }

  @Test
  default void aHaltedRunKeepsItsChunkForARevive() {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("c", 2));
    db().store().runs().start(db().definition(), List.of(StoreFixture.newRun()), entries);
    UUID process = db().join();
    List<Claimed> tasks = db().claim(process, 2);
    db().settle(process, failed(tasks.get(1)));
    assertThat(db().fate(process, chunk(tasks.get(0), 0, 4, true)))
        .isEqualTo(SettlementFate.DRAINED);
    UUID run = tasks.get(0).run();
    assertThat(db().store().quarantines().unfinished(run)).containsExactly(new Unfinished("a", 4));
    assertThat(db().store().quarantines().finished(run)).isEmpty();
  }

  @Test
  default void anEndedExpandIsNotUnfinished() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, Success.expand(task, 3).settlement());
    assertThat(db().store().quarantines().unfinished(task.run())).isEmpty();
  }
}
