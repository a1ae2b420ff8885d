package dev.standpipe.checker;

import dev.standpipe.checker.Graph.Node;
import dev.standpipe.checker.Ledger.Outcome;
import dev.standpipe.checker.Ledger.ResultRow;
import dev.standpipe.checker.Ledger.RunRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * I5: a step starts only after everything it depends on; it is created exactly once, never zero
 * times.
 */
final class AfterItsDependencies implements Rule {
  @Override
  public String invariant() {
    return "I5";
  }

  @Override
  public void judge(Evidence evidence, Consumer<String> violation) {
    Set<Step> begun = new HashSet<>(evidence.results().keySet());
    evidence.entries(What.STARTED).forEach(entry -> begun.add(entry.step()));
    for (Step step : begun) {
      judge(evidence, step, violation);
    }
    evidence.results().values().forEach(result -> judgeSkip(evidence, result, violation));
    evidence.ledger().runs().stream()
        .filter(RunRow::cameToItsEnd)
        .forEach(run -> judgeComplete(evidence, run, violation));
  }

  private static void judge(Evidence evidence, Step step, Consumer<String> violation) {
    Graph graph = evidence.graph(step.run());
    Node node = graph == null ? null : graph.find(step.node());
    if (graph == null || node == null) {
      violation.accept("no definition knows " + step);
      return;
    }
    for (Step needed : needed(evidence, graph, node, step)) {
      ResultRow result = made(evidence, graph, step, needed);
      if (result == null || (isBroken(graph, result) && !isLost(evidence, step))) {
        violation.accept(step + " began without " + needed);
      } else if (!mayHaveGoneOnWithout(evidence, graph, needed)) {
        judgeOrder(evidence, step, needed, result, violation);
      }
    }
  }

  /** A step that was ignored and is run again ends long after those that went on without it. */
  private static boolean mayHaveGoneOnWithout(Evidence evidence, Graph graph, Step needed) {
    return graph.isIgnored(needed.node()) && evidence.revived(needed.run()) > 0;
  }

  /** The steps of an element need no more of its expand than that it has yielded the element. */
  private static @Nullable ResultRow made(Evidence evidence, Graph graph, Step step, Step needed) {
    ResultRow own = evidence.result(needed);
    Node asking = graph.find(step.node());
    Node above = asking == null ? null : graph.expandAbove(asking);
    if (above != null && above.key().equals(needed.node())) {
      ResultRow element = evidence.element(new Step(step.run(), needed.node(), step.index()));
      boolean none = own != null && (own.outcome() == Outcome.SKIPPED || isLost(evidence, step));
      return element == null && none ? own : element;
    }
    return own;
  }

  /**
   * On an arm that is not taken, and with nothing but skipped inputs, nothing runs. What depends on
   * a failure that is not ignored is lost; nothing else is, but where a failure halts. All else
   * runs.
   */
  private static void judgeSkip(Evidence evidence, ResultRow result, Consumer<String> violation) {
    Step step = result.step();
    Graph graph = evidence.graph(step.run());
    Node node = graph == null ? null : graph.find(step.node());
    if (graph == null || node == null) {
      return;
    }
    boolean lost = result.outcome() == Outcome.LOST;
    boolean passedBy = isPassedBy(evidence, graph, step, node);
    boolean broken =
        !passedBy
            && before(evidence, graph, node, step).stream()
                .map(evidence::result)
                .anyMatch(before -> before != null && isBroken(graph, before));
    boolean nothingComes =
        !broken
            && !node.inputs().isEmpty()
            && node.inputs().stream().allMatch(key -> isSkipped(evidence, graph, step, node, key));
    boolean skipped = result.outcome() == Outcome.SKIPPED;
    if (skipped != (passedBy || nothingComes)) {
      violation.accept(
          step + (skipped ? " was skipped, and was to run" : " ran on an arm not taken"));
    }
    if (lost ? !broken && !graph.halts() : broken) {
      violation.accept(step + (lost ? " is lost, and was to run" : " went on after a failure"));
    }
    boolean ran =
        evidence.bySteps().getOrDefault(step, List.of()).stream()
            .anyMatch(entry -> entry.what() == What.STARTED);
    if (ran && (skipped || (lost && !graph.halts() && evidence.revived(step.run()) == 0))) {
      violation.accept("a body ran of what was skipped: " + step);
    }
  }

  private static boolean isPassedBy(Evidence evidence, Graph graph, Step step, Node node) {
    Step divert = divertOf(graph, step, node);
    if (divert == null) {
      return false;
    }
    ResultRow chosen = evidence.result(divert);
    return chosen == null
        || (!isBroken(graph, chosen) && !String.valueOf(node.arm()).equals(chosen.arm()));
  }

  /** The divert on an arm of which a step is, for the same element. */
  private static @Nullable Step divertOf(Graph graph, Step step, Node node) {
    Node divert = node.divert() == null ? null : graph.find(node.divert());
    if (divert == null) {
      return null;
    }
    int index = step.index();
    List<Node> between = graph.expandsBetween(divert, node);
    for (int i = between.size() - 1; i >= 0; i--) {
      index = outside(between.get(i), index);
    }
    return new Step(step.run(), divert.key(), index);
  }

  /** Whether a step leaves those that depend on it with nothing to go on from. */
  private static boolean isBroken(Graph graph, ResultRow result) {
    return result.outcome() == Outcome.LOST
        || (result.outcome() == Outcome.FAILED && !graph.isIgnored(result.step().node()));
  }

  private static boolean isLost(Evidence evidence, Step step) {
    ResultRow result = evidence.result(step);
    return result != null && result.outcome() == Outcome.LOST;
  }

  /** Elements that come together are skipped if their expand is. */
  private static boolean isSkipped(
      Evidence evidence, Graph graph, Step step, Node node, String key) {
    Node input = graph.find(key);
    if (input == null) {
      return false;
    }
    List<Node> between = graph.expandsBetween(node, input);
    Step decisive =
        input.equals(graph.expandAbove(node))
            ? new Step(step.run(), key, outside(input, step.index()))
            : new Step(step.run(), between.isEmpty() ? key : between.get(0).key(), step.index());
    ResultRow result = evidence.result(decisive);
    return result != null && result.outcome() == Outcome.SKIPPED;
  }

  /** By the body that made the result: its end is on record before anything can follow from it. */
  private static void judgeOrder(
      Evidence evidence, Step step, Step needed, ResultRow made, Consumer<String> violation) {
    Entry ended = find(evidence, needed, What.ENDED, made.token());
    if (ended == null) {
      return;
    }
    evidence.bySteps().getOrDefault(step, List.of()).stream()
        .filter(entry -> entry.what() == What.STARTED && entry.at() < ended.at())
        .forEach(entry -> violation.accept("began too early: " + entry + ", before " + ended));
  }

  private static @Nullable Entry find(Evidence evidence, Step step, What what, long token) {
    return evidence.bySteps().getOrDefault(step, List.of()).stream()
        .filter(entry -> entry.what() == what && entry.token() == token)
        .findFirst()
        .orElse(null);
  }

  private static List<Step> needed(Evidence evidence, Graph graph, Node node, Step step) {
    List<String> keys = new ArrayList<>(node.inputs());
    keys.addAll(node.after());
    List<Step> needed = new ArrayList<>();
    Node above = graph.expandAbove(node);
    for (String key : keys) {
      Node input = graph.find(key);
      if (key.equals(Graph.INPUT) || input == null) {
        continue;
      }
      if (input.equals(above)) {
        needed.add(new Step(step.run(), key, outside(input, step.index())));
      } else {
        needed.addAll(inside(evidence, graph, new Step(step.run(), key, step.index()), node));
      }
    }
    return needed;
  }

  /** What a step needs, and the divert whose arm it is on. */
  private static List<Step> before(Evidence evidence, Graph graph, Node node, Step step) {
    List<Step> before = new ArrayList<>(needed(evidence, graph, node, step));
    Step divert = divertOf(graph, step, node);
    if (divert != null) {
      before.add(divert);
    }
    return before;
  }

  /** The index of the expand that has yielded the element of this index. */
  private static int outside(Node expand, int element) {
    return expand.width() == 0 ? 0 : element / expand.width();
  }

  /** The steps of a node in one place, and of the expands that lead there. */
  private static List<Step> inside(
      Evidence evidence, Graph graph, Step at, @Nullable Node outside) {
    List<Step> all = new ArrayList<>();
    List<Integer> indexes = List.of(at.index());
    Node node = graph.find(at.node());
    List<Node> expands = node == null ? List.of() : graph.expandsBetween(outside, node);
    for (Node expand : expands) {
      List<Integer> next = new ArrayList<>();
      for (int index : indexes) {
        all.add(new Step(at.run(), expand.key(), index));
        next.addAll(evidence.elements(at.run(), expand, index));
      }
      indexes = next;
    }
    indexes.forEach(index -> all.add(new Step(at.run(), at.node(), index)));
    return all;
  }

  private static void judgeComplete(Evidence evidence, RunRow run, Consumer<String> violation) {
    Graph graph = evidence.graph(run.id());
    if (graph == null) {
      violation.accept("run " + run.id() + " has no definition");
      return;
    }
    for (Node node : graph.nodes()) {
      for (Step step : inside(evidence, graph, new Step(run.id(), node.key(), 0), null)) {
        if (evidence.result(step) == null) {
          violation.accept("the run came to its end without " + step);
        }
      }
    }
  }
}
