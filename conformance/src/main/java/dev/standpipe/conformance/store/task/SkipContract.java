package dev.standpipe.conformance.store.task;

import static dev.standpipe.conformance.fixture.StoreFixture.failed;
import static dev.standpipe.conformance.fixture.StoreFixture.settlement;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.standpipe.RunStatus;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.port.Quarantines.FinishedStep;
import dev.standpipe.internal.port.Runs.Entry;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.Changes;
import dev.standpipe.internal.port.Settlement.Next;
import dev.standpipe.internal.port.Settlement.Skipped;
import dev.standpipe.internal.port.Settlement.SkippedStep;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.NodeEnding;
import dev.standpipe.internal.port.Tasks.NodeKey;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Steps that are skipped, and diverts that skip them. */
public interface SkipContract extends StorePart {
  private static Settlement diverted(Claimed task) {
    Value arm = new Value(task.node(), 0, "\"left\"", false);
    return settlement(
        task,
        new Settlement.Succeeded(
            new Changes(
                List.of(arm),
                List.of(new SkippedStep("x", 0), new SkippedStep("each", -1)),
                new Next("b", 0, true),
                List.of(),
                List.of(new Bump(Bump.END, 3, -2, 0, false)),
                false)));
  }

  private static Settlement skipped(Claimed task, boolean endsRun) {
    return settlement(
        task,
        new Skipped(
            new Changes(
                List.of(),
                List.of(new SkippedStep(task.node(), task.index())),
                null,
                List.of(),
                List.of(),
                endsRun)));
  }

  @Test
  default void aDivertRecordsSkippedStepsInItsCommit() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, diverted(task))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().steps(task.run()))
        .extracting(StepInfo::node, StepInfo::index, StepInfo::state)
        .containsExactly(
            tuple("a", 0, StepState.SUCCEEDED),
            tuple("b", 0, StepState.LEASED),
            tuple("each", 0, StepState.SKIPPED),
            tuple("x", 0, StepState.SKIPPED));
    assertThat(db().query("select node, remaining from standpipe.arrival"))
        .containsExactly("$end|1");
  }

  @Test
  default void aSkippedStepHasNoValueAndMayEndItsRun() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    assertThat(db().fate(process, skipped(task, true))).isEqualTo(SettlementFate.COMMITTED);
    assertThat(db().store().runQueries().value(task.run(), "a", 0)).isEmpty();
    assertThat(db().store().runQueries().find(task.run()).orElseThrow().status())
        .isEqualTo(RunStatus.SUCCEEDED);
    assertThat(db().store().tasks().recorded(List.of(skipped(task, true)))).containsExactly(true);
    assertThat(db().fate(process, skipped(task, true))).isEqualTo(SettlementFate.STALE);
  }

  @Test
  default void endingsComeInTheOrderRequested() {
    UUID process = db().join();
    Claimed task = db().startAndClaim(process);
    db().settle(process, diverted(task));
    List<NodeKey> keys =
        List.of("x", "a", "each", "unheard-of", "$input").stream()
            .map(node -> new NodeKey(task.run(), node))
            .toList();
    assertThat(db().store().tasks().endings(keys))
        .extracting(NodeEnding::skipped)
        .containsExactly(true, false, true, false, false);
    assertThat(db().store().tasks().endings(keys).get(1).value()).isEqualTo("\"left\"");
    assertThat(db().store().tasks().endings(List.of())).isEmpty();
  }

  @Test
  default void aHaltedRunKeepsItsSkippedSteps() {
    List<Entry> entries = List.of(new Entry("a", 1), new Entry("c", 2));
    db().store().runs().start(db().definition(), List.of(StoreFixture.newRun()), entries);
    UUID process = db().join();
    List<Claimed> tasks = db().claim(process, 2);
    db().settle(process, failed(tasks.get(1)));
    assertThat(db().fate(process, diverted(tasks.get(0)))).isEqualTo(SettlementFate.DRAINED);
    assertThat(db().store().quarantines().finished(tasks.get(0).run()))
        .containsExactlyInAnyOrder(
            new FinishedStep("a", 0, 0, false, "\"left\""),
            new FinishedStep("x", 0, 0, true, null),
            new FinishedStep("each", -1, 0, true, null));
  }
}
