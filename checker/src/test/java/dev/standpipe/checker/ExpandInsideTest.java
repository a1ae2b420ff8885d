package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.RunRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A run with an expand inside another: two rows, of which the second has two cells. */
class ExpandInsideTest {
  private static final UUID RUN = new UUID(7, 7);
  private static final String GRAPH =
      """
      {"pipeline": "p", "output": "all", "nodes": [
        {"key": "$input", "kind": "input", "inputs": []},
        {"key": "rows", "kind": "expand", "inputs": ["$input"]},
        {"key": "cells", "kind": "expand", "inputs": ["rows"], "width": 10},
        {"key": "cell", "kind": "step", "inputs": ["cells"]},
        {"key": "row", "kind": "collapse", "inputs": ["cell"]},
        {"key": "all", "kind": "collapse", "inputs": ["row"]}]}
      """;

  private final List<ResultRow> results = new ArrayList<>();

  @BeforeEach
  void oneRunIsDone() {
    made("rows", 0, Outcome.SUCCEEDED, 2);
    made("rows", 0, Outcome.ELEMENT, null);
    made("rows", 1, Outcome.ELEMENT, null);
    made("cells", 0, Outcome.SUCCEEDED, 0);
    made("cells", 1, Outcome.SUCCEEDED, 2);
    made("cells", 10, Outcome.ELEMENT, null);
    made("cells", 11, Outcome.ELEMENT, null);
    made("cell", 10, Outcome.SUCCEEDED, null);
    made("cell", 11, Outcome.SUCCEEDED, null);
    made("row", 0, Outcome.SUCCEEDED, null);
    made("row", 1, Outcome.SUCCEEDED, null);
    made("all", 0, Outcome.SUCCEEDED, null);
  }

  @Test
  void aRunWithoutFaultHolds() {
    assertThat(violations()).isEmpty();
  }

  @Test
  void seesAForgottenCell() {
    forget("cell", 11);
    assertThat(violations())
        .containsExactlyInAnyOrder(
            "row[1] of run " + RUN + " began without cell[11] of run " + RUN,
            "the run came to its end without cell[11] of run " + RUN);
  }

  @Test
  void seesAForgottenRowWithoutCells() {
    forget("row", 0);
    assertThat(violations())
        .containsExactlyInAnyOrder(
            "all[0] of run " + RUN + " began without row[0] of run " + RUN,
            "the run came to its end without row[0] of run " + RUN);
  }

  @Test
  void seesACellWithoutARow() {
    made("cell", 20, Outcome.SUCCEEDED, null);
    assertThat(violations())
        .containsExactly("cell[20] of run " + RUN + " began without cells[2] of run " + RUN);
  }

  private void made(String node, int index, Outcome outcome, Integer elements) {
    results.add(new ResultRow(new Step(RUN, node, index), 1, 1, outcome, elements, null));
  }

  private void forget(String node, int index) {
    results.removeIf(result -> result.step().equals(new Step(RUN, node, index)));
  }

  private List<String> violations() {
    Ledger ledger =
        new Ledger(
            Map.of(1, Graph.parse(GRAPH)),
            List.of(new RunRow(RUN, 1, "succeeded", false)),
            results,
            List.of(),
            List.of(),
            List.of(),
            Set.of(),
            List.of(),
            Links.NONE);
    List<String> violations = new ArrayList<>();
    new AfterItsDependencies().judge(new Evidence(ledger, List.of()), violations::add);
    return violations;
  }
}
