package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Ledger.AttemptRow;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.RunRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Runs that go on after failures, right and wrong. */
class StrategiesTest {
  private static final UUID RUN = new UUID(7, 7);
  private static final String STEPS =
      """
      {"key": "a", "kind": "step", "inputs": ["$input"]},
      {"key": "b", "kind": "step", "inputs": ["a"]},
      {"key": "c", "kind": "step", "inputs": ["$input"]}
      """;
  private static final String ELEMENTS =
      """
      {"key": "b", "kind": "expand", "inputs": ["$input"]},
      {"key": "each", "kind": "step", "inputs": ["b"]},
      {"key": "all", "kind": "collapse", "inputs": ["each"]}
      """;

  private static final String ARM =
      """
      {"key": "b", "kind": "divert", "inputs": ["$input"], "arms": ["x"]},
      {"key": "on", "kind": "step", "inputs": ["$input"], "arm": {"divert": "b", "name": "x"}},
      {"key": "b:converge", "kind": "converge", "inputs": ["b", "on"], "arms": ["x"]}
      """;

  private final List<ResultRow> results = new ArrayList<>();
  private final List<AttemptRow> attempts = new ArrayList<>();
  private final List<Entry> history = new ArrayList<>();
  private final List<UUID> revived = new ArrayList<>();
  private String strategy = "continue";
  private String nodes = STEPS;

  @Test
  void aFailureLosesItsDependentsAndFailsTheRun() {
    fails("a");
    loses("b");
    succeeds("c");
    assertThat(broken("failed")).isEmpty();
    assertThat(broken("succeeded")).containsExactly("I1");
  }

  @Test
  void aRunWithoutAFailureHasNotFailed() {
    succeeds("a");
    succeeds("b");
    succeeds("c");
    assertThat(broken("succeeded")).isEmpty();
    assertThat(broken("failed")).containsExactly("I1");
  }

  @Test
  void seesAStepRunAfterAnUnignoredFailure() {
    fails("a");
    succeeds("b");
    succeeds("c");
    assertThat(broken("failed")).containsExactly("I5", "I5");
    strategy = "ignore";
    assertThat(broken("failed")).isEmpty();
  }

  @Test
  void aStepMayPrecedeTheRerunOfAnIgnoredStep() {
    strategy = "ignore";
    succeeds("a");
    succeeds("b");
    succeeds("c");
    history.add(new Entry(What.STARTED, 1, "worker", step("b"), 1, 1));
    history.add(new Entry(What.ENDED, 2, "worker", step("b"), 1, 1));
    history.add(new Entry(What.STARTED, 3, "worker", step("a"), 1, 1));
    history.add(new Entry(What.ENDED, 4, "worker", step("a"), 1, 1));
    assertThat(broken("succeeded")).containsExactly("I5");
    revived.add(RUN);
    assertThat(broken("succeeded")).isEmpty();
    strategy = "continue";
    assertThat(broken("succeeded")).containsExactly("I5");
  }

  @Test
  void seesANeedlesslyLostStep() {
    fails("a");
    loses("b");
    loses("c");
    assertThat(broken("failed")).containsExactly("I5");
    strategy = "halt";
    assertThat(broken("halted")).isEmpty();
  }

  @Test
  void seesAMissingStep() {
    fails("a");
    loses("b");
    assertThat(broken("failed")).containsExactly("I5");
  }

  @Test
  void seesABodyOfALostStep() {
    fails("a");
    loses("b");
    succeeds("c");
    history.add(new Entry(What.STARTED, 1, "worker", step("b"), 1, 1));
    assertThat(broken("failed")).containsExactly("I5");
  }

  @Test
  void aHaltMayLoseAStepAwaitingItsRetry() {
    strategy = "halt";
    fails("a");
    loses("b");
    loses("c");
    history.add(new Entry(What.STARTED, 1, "worker", step("c"), 1, 0));
    history.add(new Entry(What.ENDED, 2, "worker", step("c"), 1, 0));
    assertThat(broken("halted")).isEmpty();
    strategy = "continue";
    assertThat(broken("failed")).containsExactly("I5", "I5");
  }

  @Test
  void aFailedExpandLosesItsElements() {
    nodes = ELEMENTS;
    fails("b");
    loses("each");
    loses("all");
    assertThat(broken("failed")).isEmpty();
  }

  @Test
  void aFailedDivertLosesItsArms() {
    nodes = ARM;
    fails("b");
    loses("on");
    loses("b:converge");
    assertThat(broken("failed")).isEmpty();
    results.removeIf(result -> result.step().node().equals("on"));
    succeeds("on");
    assertThat(broken("failed")).containsOnly("I5");
  }

  @Test
  void seesAnElementOfAFailedExpand() {
    nodes = ELEMENTS;
    fails("b");
    succeeds("each");
    loses("all");
    assertThat(broken("failed")).contains("I5").containsOnly("I5");
  }

  private void fails(String node) {
    attempts.add(new AttemptRow(step(node), 1, 1, "failed"));
    results.add(new ResultRow(step(node), 1, 1, Outcome.FAILED, null, null));
  }

  private void succeeds(String node) {
    results.add(new ResultRow(step(node), 1, 1, Outcome.SUCCEEDED, null, null));
  }

  private void loses(String node) {
    results.add(new ResultRow(step(node), 1, 0, Outcome.LOST, null, null));
  }

  private static Step step(String node) {
    return new Step(RUN, node, 0);
  }

  private List<String> broken(String status) {
    String graph =
        """
        {"pipeline": "p", "output": "b", "nodes": [
          {"key": "$input", "kind": "input", "inputs": []},
          %s],
         "strategy": "%s", "strategies": {}}
        """
            .formatted(nodes, strategy);
    Ledger ledger =
        new Ledger(
            Map.of(1, Graph.parse(graph)),
            List.of(new RunRow(RUN, 1, status, false)),
            results,
            attempts,
            List.of(),
            List.of(),
            Set.of(),
            revived,
            Links.NONE);
    return Checker.check(new Evidence(ledger, history)).violations().stream()
        .map(Violation::invariant)
        .toList();
  }
}
