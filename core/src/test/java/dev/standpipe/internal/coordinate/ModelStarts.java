package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.coordinate.Model.Fate;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.ModelArms.Arm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which steps may start at one time: once these have ended, and these expands have yielded so many
 * elements.
 */
final class ModelStarts {
  private final ModelNodes nodes;
  private final ModelElements elements;
  private final ModelFates fates;
  private final Set<Step> ended;
  private final Map<Step, Integer> yielded;
  private final Map<String, Boolean> known = new HashMap<>();

  ModelStarts(
      ModelNodes nodes,
      ModelElements elements,
      ModelFates fates,
      Set<Step> ended,
      Map<Step, Integer> yielded) {
    this.nodes = nodes;
    this.elements = elements;
    this.fates = fates;
    this.ended = ended;
    this.yielded = yielded;
  }

  boolean mayStart(Step step) {
    String key = step.key();
    if (nodes.expand(key).isEmpty()) {
      return nodes.dependencies(key).stream().allMatch(this::hasEnded);
    }
    return elements.bringsTogether(key) ? mayCollapse(step) : mayStartForElement(step);
  }

  private boolean mayCollapse(Step step) {
    String input = nodes.inputs(step.key()).get(0);
    String expand = elements.spread(input);
    return hasEnded(new Step(expand, step.index()))
        && (input.equals(expand) || fates.values(input, step).stream().allMatch(this::hasEnded));
  }

  private boolean mayStartForElement(Step step) {
    String expand = nodes.expand(step.key());
    List<String> before = new ArrayList<>(nodes.inputs(step.key()));
    Arm arm = nodes.arms().of(step.key());
    if (arm != null && nodes.expand(arm.divert()).equals(expand)) {
      before.add(arm.divert());
    }
    return before.stream()
        .allMatch(
            key ->
                key.equals(expand)
                    ? isYielded(step.index(), key)
                    : hasEnded(new Step(key, step.index())));
  }

  private boolean isYielded(int element, String expand) {
    Step step = elements.expandOf(expand, element);
    return hasEnded(step) || element < yielded.getOrDefault(step, 0);
  }

  /** The elements of an expand that has not ended are not there yet, so none of them has. */
  private boolean hasEnded(String key) {
    Boolean has = known.get(key);
    if (has == null) {
      String expand = nodes.expand(key);
      has =
          (expand.isEmpty() || hasEnded(expand))
              && fates.steps(key).stream().allMatch(this::hasEnded);
      known.put(key, has);
    }
    return has;
  }

  /** What does not run has ended when all has that it would have waited for. */
  private boolean hasEnded(Step step) {
    if (step.key().equals(GraphNode.INPUT_KEY)) {
      return true;
    }
    return fates.of(step) == Fate.RUNS ? ended.contains(step) : mayStart(step);
  }
}
