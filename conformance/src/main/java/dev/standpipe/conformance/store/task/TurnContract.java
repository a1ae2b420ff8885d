package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.retried;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.info.TurnInfo;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.TurnEntry;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.LastTurn;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The turns of a loop, each committed with the hand-over of its task. */
public interface TurnContract extends StorePart {
  private static Settlement turn(Claimed task, int turn, int keep, boolean leased, Duration delay) {
    return new Settlement(
        task.ref(),
        task.node(),
        task.index(),
        task.lane(),
        task.priority(),
        task.attempt(),
        7,
        new Settlement.Turning(new Next(task.node(), task.index(), leased), delay.toNanos() / 1000),
        List.of(new TurnEntry(turn, "\"" + turn + "\"", 1, turn - keep)));
  }

  private static Settlement turn(Claimed task, int turn) {
    return turn(task, turn, 10, true, Duration.ZERO);
  }

  /** The task as its owner holds it after a turn. */
  private static Claimed after(Claimed task) {
    return new Claimed(
        task.run(),
        task.id(),
        task.node(),
        task.index(),
        task.lane(),
        task.priority(),
        task.token() + 1,
        1,
        0,
        true,
        task.seq());
  }

  private List<Integer> turns(Claimed task) {
    return db().store().runQueries().turns(task.run(), task.node(), task.index()).stream()
        .map(TurnInfo::turn)
        .toList();
  }

  private List<LastTurn> last(Claimed task) {
    return db().store()
        .tasks()
        .lastTurns(List.of(new ResultKey(task.run(), task.node(), task.index())));
  }

  @Test
  default void aTurnHandsItsTaskOnToTheNext() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(last(task)).isEqualTo(Arrays.asList((LastTurn) null));
    assertThat(db().fate(process, turn(task, 1))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().tasks().held(process))
        .containsExactly(new TaskRef(task.run(), task.id(), task.token() + 1));
    assertThat(last(task)).containsExactly(new LastTurn(1, 1, "\"1\""));
    assertThat(db().query("select count(*) from standpipe.result where node = 'a'"))
        .containsExactly("0");
    assertThat(db().fate(process, Success.of(after(task)).endsRun().settlement()))
        .isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().steps(task.run()))
        .containsExactly(at(StepState.SUCCEEDED, task.token() + 1));
  }

  /** The loop at its second turn. */
  private static StepInfo at(StepState state, long token) {
    return new StepInfo("a", 0, state, 1, 0, token, 2, 0, Optional.empty());
  }

  @Test
  default void aDelayedTurnIsScheduledAndHeldByNobody() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, turn(task, 1, 10, false, Duration.ofHours(1)));
    assertThat(db().store().tasks().held(process)).isEmpty();
    assertThat(db().claim(process, 10)).isEmpty();
    assertThat(db().store().runQueries().steps(task.run()))
        .containsExactly(at(StepState.SCHEDULED, task.token() + 1));
    assertThat(db().store().tasks().nextDue().orElseThrow())
        .isBetween(Duration.ofMinutes(59), Duration.ofHours(1));
  }

  @Test
  default void aLateTurnIsRefused() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, turn(task, 1));
    assertThat(db().fate(process, turn(task, 1))).isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(process, turn(task, 2))).isEqualTo(SettlementFate.STALE);
    assertThat(db().fate(db().join(), turn(after(task), 2))).isEqualTo(SettlementFate.STALE);
    assertThat(turns(task)).containsExactly(1);
  }

  /** Whatever an engine believes, the primary key lets each turn be written once. */
  @Test
  default void aTurnCannotBeWrittenTwice() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, turn(task, 1));
    assertThatExceptionOfType(StoreException.class)
        .isThrownBy(() -> db().settle(process, turn(after(task), 1)));
    assertThat(db().store().tasks().held(process))
        .containsExactly(new TaskRef(task.run(), task.id(), task.token() + 1));
    assertThat(turns(task)).containsExactly(1);
  }

  @Test
  default void theLedgerFindsATurnByItsToken() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    List<Settlement> both = List.of(turn(task, 1), turn(after(task), 2));
    assertThat(db().store().tasks().recorded(both)).containsExactly(false, false);
    db().settle(process, both.get(0));
    assertThat(db().store().tasks().recorded(both)).containsExactly(true, false);
  }

  @Test
  default void oldTurnsGoWithTheirFailedTries() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    for (int turn = 1; turn <= 6; turn++) {
      db().settle(process, retried(task, Duration.ZERO));
      task = db().claim(process);
      db().settle(process, turn(task, turn, 2, true, Duration.ZERO));
      task = after(task);
    }
    assertThat(turns(task)).containsExactly(5, 6);
    assertThat(last(task)).containsExactly(new LastTurn(6, 5, "\"6\""));
    assertThat(db().store().runQueries().attempts(task.run())).hasSize(2);
    assertThat(db().store().runQueries().turns(task.run(), "a", 0))
        .extracting(TurnInfo::attempt, TurnInfo::elapsed)
        .containsOnly(tuple(2, Duration.ofNanos(7000)));
  }

  @Test
  default void whatATurnHandedOnOutlivesACancel() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().store().runs().cancel(task.run(), 1_000_000, new Audited("ann", "why"));
    assertThat(db().fate(process, turn(task, 1))).isEqualTo(SettlementFate.DRAINED);
    assertThat(turns(task)).containsExactly(1);
    assertThat(db().query("select * from standpipe.task")).isEmpty();
  }
}
