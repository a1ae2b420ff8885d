package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Ledger.ArrivalRow;
import dev.standpipe.checker.Ledger.AttemptRow;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.RunRow;
import dev.standpipe.checker.Ledger.TaskRow;
import dev.standpipe.checker.Links.Call;
import dev.standpipe.checker.Links.Chain;
import dev.standpipe.checker.Links.Dispatched;
import dev.standpipe.checker.Links.Signal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run without fault, and each way to spoil it: every rule must see its own. */
class CheckerTest {
  private static final UUID RUN = new UUID(7, 7);
  private static final UUID CALLBACK = new UUID(8, 1);
  private static final UUID CALLED = new UUID(8, 2);
  private static final UUID OTHER = new UUID(9, 9);
  private static final String GRAPH =
      """
      {"pipeline": "p", "output": "sum", "endCallbacks": ["on_success", "on_halt"], "nodes": [
        {"key": "$input", "kind": "input", "inputs": []},
        {"key": "first", "kind": "step", "inputs": ["$input"]},
        {"key": "split", "kind": "expand", "inputs": ["first"]},
        {"key": "each", "kind": "step", "inputs": ["split"]},
        {"key": "sum", "kind": "collapse", "inputs": ["each"], "after": ["first"]},
        {"key": "way", "kind": "divert", "inputs": ["sum"]},
        {"key": "left", "kind": "step", "inputs": ["sum"], "arm": {"divert": "way", "name": "l"}},
        {"key": "right", "kind": "step", "inputs": ["sum"], "arm": {"divert": "way", "name": "r"}},
        {"key": "further", "kind": "step", "inputs": ["right"]},
        {"key": "ask", "kind": "await", "inputs": ["sum"]},
        {"key": "ring", "kind": "call", "inputs": ["sum"]},
        {"key": "odd", "kind": "divert", "inputs": ["each"]},
        {"key": "up", "kind": "step", "inputs": ["each"], "arm": {"divert": "odd", "name": "yes"}},
        {"key": "odd:converge", "kind": "converge", "inputs": ["odd", "up", "each"]}]}
      """;

  private final List<RunRow> runs = new ArrayList<>();
  private final List<ResultRow> results = new ArrayList<>();
  private final List<AttemptRow> attempts = new ArrayList<>();
  private final List<TaskRow> tasks = new ArrayList<>();
  private final List<ArrivalRow> arrivals = new ArrayList<>();
  private final Set<UUID> forked = new HashSet<>();
  private final List<UUID> revived = new ArrayList<>();
  private final List<Entry> history = new ArrayList<>();
  private final List<UUID> ended = new ArrayList<>();
  private final List<Dispatched> dispatched = new ArrayList<>();
  private final List<Chain> chain = new ArrayList<>();
  private final List<Signal> signals = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final Links links = new Links(ended, dispatched, chain, Map.of(), signals, calls);
  private long now;

  @BeforeEach
  void oneRunIsDone() {
    runs.add(new RunRow(RUN, 1, "succeeded", false));
    say(What.ACKNOWLEDGED, Step.ofRun(RUN), 0);
    say(What.STARTED, step("first"), 1);
    attempts.add(new AttemptRow(step("first"), 1, 1, "crashed"));
    does("first", 0, 2);
    does("split", 0, 3);
    results.set(1, new ResultRow(step("split"), 3, 1, Outcome.SUCCEEDED, 2, null));
    does("each", 0, 4);
    does("each", 1, 1);
    does("sum", 0, 1);
    does("way", 0, 5);
    results.set(5, new ResultRow(step("way"), 5, 1, Outcome.SUCCEEDED, null, "l"));
    does("left", 0, 6);
    skips("right");
    skips("further");
    yields("split", 0, 3);
    yields("split", 1, 3);
    arrivals.add(new ArrivalRow(RUN, "sum", 0));
    does("ask", 0, 7);
    signals.add(new Signal(step("ask"), true, false));
    does("ring", 0, 8);
    signals.add(new Signal(step("ring"), true, false));
    runs.add(new RunRow(CALLED, 2, "succeeded", false));
    calls.add(new Call(CALLED, step("ring"), 1));
    chooses(0, "yes", 9);
    does("up", 0, 10);
    chooses(1, "otherwise", 11);
    results.add(new ResultRow(new Step(RUN, "up", 1), 11, 0, Outcome.SKIPPED, null, null));
    does("odd:converge", 0, 12);
    does("odd:converge", 1, 13);
    say(What.RUN_ENDED, Step.ofRun(RUN), 0);
    runs.add(new RunRow(CALLBACK, 2, "succeeded", false));
    dispatched.add(new Dispatched(CALLBACK, RUN, "on_success"));
  }

  @Test
  void seesAnEndWithoutItsFollowUp() {
    ended.add(RUN);
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void seesAMissingCallback() {
    dispatched.clear();
    assertThat(broken()).containsExactly("I10");
    assertThat(verdict().toString()).contains("on_success was dispatched 0 times after 1 ends");
  }

  @Test
  void seesADuplicateCallback() {
    runs.add(new RunRow(OTHER, 2, "succeeded", false));
    dispatched.add(new Dispatched(OTHER, RUN, "on_success"));
    assertThat(broken()).containsExactly("I10");
    revived.add(RUN);
    assertThat(broken()).as("one for each end").isEmpty();
  }

  @Test
  void seesACallbackOfTheWrongEnd() {
    runs.add(new RunRow(OTHER, 2, "succeeded", false));
    dispatched.add(new Dispatched(OTHER, RUN, "on_halt"));
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void seesAMissingDispatchedRun() {
    dispatched.set(0, new Dispatched(OTHER, RUN, "on_success"));
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void seesAnUnresolvedDownstream() {
    runs.add(new RunRow(OTHER, 2, "succeeded", false));
    chain.add(new Chain(RUN, OTHER, true));
    assertThat(broken()).isEmpty();
    chain.set(0, new Chain(RUN, OTHER, false));
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void seesANeedlesslySkippedDownstream() {
    runs.add(new RunRow(OTHER, 2, "skipped", false));
    chain.add(new Chain(RUN, OTHER, true));
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void seesADownstreamStartedWithoutItsUpstream() {
    UUID third = new UUID(10, 10);
    runs.add(new RunRow(OTHER, 2, "halted", false));
    runs.add(new RunRow(third, 2, "succeeded", false));
    chain.add(new Chain(OTHER, third, true));
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void seesAnUnfinishedCompensation() {
    runs.add(new RunRow(OTHER, 2, "compensated", false));
    assertThat(broken()).isEmpty();
    runs.set(runs.size() - 1, new RunRow(OTHER, 2, "compensating", false));
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void aRunWithoutFaultHolds() {
    assertThat(verdict().violations()).isEmpty();
    assertThat(verdict().holds()).isTrue();
  }

  @Test
  void seesALostStart() {
    say(What.ACKNOWLEDGED, Step.ofRun(new UUID(8, 8)), 0);
    assertThat(broken()).containsExactly("I1");
  }

  @Test
  void seesAStuckRun() {
    runs.set(0, new RunRow(RUN, 1, "running", false));
    arrivals.set(0, new ArrivalRow(RUN, "sum", 1));
    history.removeIf(entry -> entry.what() == What.RUN_ENDED);
    assertThat(broken()).containsExactly("I1");
    assertThat(verdict().toString()).contains("sum still waits for 1");
  }

  @Test
  void seesTwoResultsOfAStep() {
    say(What.ACCEPTED, step("first"), 2);
    assertThat(broken()).containsExactly("I2");
  }

  @Test
  void seesAMissingAcceptedResult() {
    results.removeIf(result -> result.step().node().equals("sum"));
    assertThat(broken()).contains("I2", "I5");
  }

  @Test
  void seesALateWriterThatWon() {
    say(What.STARTED, step("sum"), 2);
    attempts.add(new AttemptRow(step("first"), 3, 1, "crashed"));
    assertThat(broken()).contains("I3");
    assertThat(verdict().toString()).contains("newer than what was accepted");
  }

  @Test
  void seesARefusedResultThatWasStored() {
    say(What.STALE, step("sum"), 1);
    assertThat(broken()).containsExactly("I3");
  }

  @Test
  void seesAnUncountedOverlap() {
    attempts.clear();
    assertThat(broken()).containsExactly("I4");
  }

  @Test
  void seesTwoBodiesWithTheSameToken() {
    say(What.STARTED, step("sum"), 1);
    assertThat(broken()).containsExactly("I4");
  }

  @Test
  void seesAStepStartedBeforeItsInput() {
    history.add(new Entry(What.STARTED, 0, "early", new Step(RUN, "sum", 0), 1, 0));
    attempts.add(new AttemptRow(step("sum"), 0, 1, "crashed"));
    assertThat(broken()).contains("I5");
    assertThat(verdict().toString()).contains("began too early");
  }

  @Test
  void seesAForgottenElement() {
    Step forgotten = new Step(RUN, "each", 1);
    results.removeIf(
        result -> result.step().equals(forgotten) && result.outcome() == Outcome.SUCCEEDED);
    history.removeIf(entry -> entry.step().equals(forgotten));
    assertThat(broken()).containsOnly("I5").hasSizeGreaterThan(1);
    assertThat(verdict().toString()).contains("came to its end without each[1]");
  }

  @Test
  void seesAStepOfAnUnyieldedElement() {
    results.removeIf(result -> result.outcome() == Outcome.ELEMENT && result.step().index() == 1);
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void anExpandRaisesItsTokenWithEachChunk() {
    results.replaceAll(
        result ->
            result.step().equals(step("split")) && result.outcome() == Outcome.SUCCEEDED
                ? new ResultRow(step("split"), 4, 1, Outcome.SUCCEEDED, 2, null)
                : result);
    history.removeIf(entry -> entry.what() == What.ACCEPTED && entry.step().equals(step("split")));
    assertThat(broken()).isEmpty();
    results.removeIf(result -> result.outcome() == Outcome.ELEMENT);
    yields("split", 0, 4);
    yields("split", 1, 4);
    assertThat(broken()).as("no chunk has raised the token").containsExactly("I3");
  }

  @Test
  void seesACrashChargedAsAnAttempt() {
    results.set(0, new ResultRow(step("first"), 2, 2, Outcome.SUCCEEDED, null, null));
    assertThat(broken()).containsExactly("I7");
  }

  @Test
  void seesASnoozeChargedAsAnAttempt() {
    attempts.add(new AttemptRow(step("sum"), 0, 1, "snoozed"));
    assertThat(broken()).isEmpty();
    results.replaceAll(
        r ->
            r.step().equals(step("sum"))
                ? new ResultRow(r.step(), r.token(), 2, r.outcome(), r.elements(), r.arm())
                : r);
    assertThat(broken()).containsExactly("I7");
  }

  @Test
  void aRunEndedEarlyMayBeIncomplete() {
    results.removeIf(result -> result.step().equals(step("left")));
    history.removeIf(entry -> entry.step().equals(step("left")));
    assertThat(broken()).containsExactly("I5");
    runs.set(0, new RunRow(RUN, 1, "succeeded", true));
    assertThat(broken()).isEmpty();
  }

  @Test
  void seesALeftoverTask() {
    tasks.add(new TaskRow(step("other"), 0, 1, null));
    assertThat(broken()).containsExactly("I2", "I8");
  }

  @Test
  void seesAStepRunOnTheWrongArm() {
    results.removeIf(result -> result.step().equals(step("right")));
    does("right", 0, 7);
    assertThat(broken()).contains("I5");
    assertThat(verdict().toString()).contains("ran on an arm not taken");
  }

  @Test
  void seesAStepSkippedOnTheTakenArm() {
    results.removeIf(result -> result.step().equals(step("left")));
    history.removeIf(entry -> entry.step().equals(step("left")));
    skips("left");
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void seesABodyOfASkippedStep() {
    say(What.STARTED, step("further"), 5);
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void seesAnElementRunOnTheWrongArm() {
    results.removeIf(result -> result.step().equals(new Step(RUN, "up", 1)));
    does("up", 1, 14);
    assertThat(verdict().toString()).contains("up[1]").contains("ran on an arm not taken");
  }

  @Test
  void seesAnElementSkippedOnItsTakenArm() {
    Step up = new Step(RUN, "up", 0);
    results.removeIf(result -> result.step().equals(up));
    history.removeIf(entry -> entry.step().equals(up));
    results.add(new ResultRow(up, 9, 0, Outcome.SKIPPED, null, null));
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void seesAnAwaitEndedWithoutASignal() {
    signals.set(0, new Signal(step("ask"), false, true));
    assertThat(broken()).as("it has expired").isEmpty();
    signals.set(0, new Signal(step("ask"), false, false));
    assertThat(broken()).containsExactly("I5");
    signals.remove(0);
    assertThat(verdict().toString()).contains("ended without a signal");
  }

  @Test
  void seesASignalToANonAwaitingStep() {
    signals.add(new Signal(step("left"), true, false));
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void seesACallWithoutAResult() {
    calls.clear();
    assertThat(broken()).containsExactly("I5");
  }

  @Test
  void seesAMissingCalledRun() {
    calls.add(new Call(OTHER, step("ring"), 2));
    assertThat(verdict().toString()).contains("called, and not there");
  }

  @Test
  void seesASecondRunOfACall() {
    runs.add(new RunRow(OTHER, 2, "succeeded", false));
    calls.add(new Call(OTHER, step("ring"), 2));
    assertThat(broken()).as("the first had succeeded").containsExactly("I5");
    runs.replaceAll(r -> r.id().equals(CALLED) ? new RunRow(CALLED, 2, "halted", false) : r);
    assertThat(broken()).as("the first had not").isEmpty();
    calls.set(1, new Call(OTHER, step("ring"), 3));
    assertThat(broken()).as("one is missing").containsExactly("I5");
    calls.set(1, new Call(OTHER, step("left"), 1));
    assertThat(verdict().toString()).contains("called by what calls nobody");
  }

  @Test
  void seesAnEndAnnouncedTwice() {
    say(What.RUN_ENDED, Step.ofRun(RUN), 0);
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void aRevivedRunCountsItsAttemptsAnew() {
    attempts.add(new AttemptRow(step("first"), 0, 1, "failed"));
    say(What.RUN_ENDED, Step.ofRun(RUN), 0);
    assertThat(broken()).containsExactly("I7", "I10");
    revived.add(RUN);
    assertThat(broken()).isEmpty();
    say(What.RUN_ENDED, Step.ofRun(RUN), 0);
    assertThat(broken()).containsExactly("I10");
  }

  @Test
  void aForkMayHaveResultsWithoutAttempts() {
    results.removeIf(result -> result.step().equals(step("sum")));
    history.removeIf(entry -> entry.step().equals(step("sum")));
    results.add(new ResultRow(step("sum"), 0, 0, Outcome.SUCCEEDED, null, null));
    assertThat(broken()).containsExactly("I7");
    forked.add(RUN);
    assertThat(broken()).isEmpty();
  }

  @Test
  void aCanceledAttemptIsNotCounted() {
    attempts.set(0, new AttemptRow(step("first"), 1, 1, "canceled"));
    assertThat(broken()).isEmpty();
  }

  @Test
  void aHistoryLineReadsBackUnchanged() {
    Entry entry = new Entry(What.STALE, 17, "a worker", new Step(RUN, "ein Schritt: ä", 3), 2, 9);
    assertThat(Entry.parse(entry.line())).isEqualTo(entry);
  }

  private void does(String node, int index, long token) {
    Step step = new Step(RUN, node, index);
    say(What.STARTED, step, token);
    say(What.ENDED, step, token);
    say(What.ACCEPTED, step, token);
    results.add(new ResultRow(step, token, 1, Outcome.SUCCEEDED, null, null));
  }

  private void chooses(int index, String arm, long token) {
    does("odd", index, token);
    Step step = new Step(RUN, "odd", index);
    results.set(results.size() - 1, new ResultRow(step, token, 1, Outcome.SUCCEEDED, null, arm));
  }

  private void yields(String expand, int index, long token) {
    Step element = new Step(RUN, expand, index);
    results.add(new ResultRow(element, token, 1, Outcome.ELEMENT, null, null));
  }

  private void skips(String node) {
    results.add(new ResultRow(step(node), 5, 0, Outcome.SKIPPED, null, null));
  }

  private void say(What what, Step step, long token) {
    history.add(new Entry(what, ++now, "worker", step, 1, token));
  }

  private static Step step(String node) {
    return new Step(RUN, node, 0);
  }

  private List<String> broken() {
    return verdict().violations().stream().map(Violation::invariant).toList();
  }

  private Verdict verdict() {
    Map<Integer, Graph> graphs = Map.of(1, Graph.parse(GRAPH), 2, Graph.parse("{\"nodes\": []}"));
    return Checker.check(
        new Evidence(
            new Ledger(graphs, runs, results, attempts, tasks, arrivals, forked, revived, links),
            history));
  }
}
