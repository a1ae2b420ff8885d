package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.Model.Fate;
import dev.standpipe.internal.coordinate.Model.Kind;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.ModelArms.Arm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which steps run, given those that fail: by definition, and step by step. A step is skipped when
 * nothing comes to it, and lost when something does not come that should have.
 */
final class ModelFates {
  private final ModelNodes nodes;
  private final ModelElements elements;
  private final Map<Step, Fate> fates = new HashMap<>();
  private Set<Step> failing = Set.of();

  ModelFates(ModelNodes nodes, ModelElements elements) {
    this.nodes = nodes;
    this.elements = elements;
  }

  void failing(Set<Step> steps) {
    failing = Set.copyOf(steps);
    fates.clear();
  }

  boolean isFailing(Step step) {
    return failing.contains(step);
  }

  Fate of(Step step) {
    Fate known = fates.get(step);
    if (known == null) {
      known = find(step);
      fates.put(step, known);
    }
    return known;
  }

  private Fate find(Step step) {
    Fate onArm = onArm(step);
    if (onArm != Fate.RUNS) {
      return onArm;
    }
    if (elements.bringsTogether(step.key())) {
      return ofCollapse(step);
    }
    return nodes.expand(step.key()).isEmpty() ? ofOnly(step.key()) : ofElement(step);
  }

  private Fate onArm(Step step) {
    Arm arm = nodes.arms().of(step.key());
    if (arm == null) {
      return Fate.RUNS;
    }
    Step divert = elements.around(arm.divert(), step);
    if (of(divert) == Fate.SKIPPED) {
      return Fate.SKIPPED;
    }
    if (isBroken(divert)) {
      return Fate.LOST;
    }
    return nodes.arms().taken(divert).equals(arm.name()) ? Fate.RUNS : Fate.SKIPPED;
  }

  private Fate ofCollapse(Step step) {
    Step expand = new Step(elements.spread(nodes.inputs(step.key()).get(0)), step.index());
    boolean broken = isBroken(expand) || inputs(step).stream().anyMatch(this::isBroken);
    return broken ? Fate.LOST : of(expand);
  }

  private Fate ofElement(Step step) {
    List<Step> inputs =
        nodes.inputs(step.key()).stream().map(input -> elements.inputOf(step, input)).toList();
    boolean nothingComes = inputs.stream().allMatch(input -> of(input) == Fate.SKIPPED);
    boolean broken = inputs.stream().anyMatch(this::isBroken);
    return broken ? Fate.LOST : nothingComes ? Fate.SKIPPED : Fate.RUNS;
  }

  private Fate ofOnly(String key) {
    if (edges(key).stream().anyMatch(this::isBroken)) {
      return Fate.LOST;
    }
    List<String> inputs = nodes.inputs(key);
    boolean nothingComes = !inputs.isEmpty() && inputs.stream().allMatch(this::isSkipped);
    return nothingComes ? Fate.SKIPPED : Fate.RUNS;
  }

  /** A barrier is wired to the last of those before it, and to the first of those after it. */
  private List<String> edges(String key) {
    List<String> all = nodes.dependencies(key);
    return all.stream()
        .filter(
            before ->
                (nodes.kind(key) != Kind.BARRIER && nodes.kind(before) != Kind.BARRIER)
                    || all.stream().noneMatch(d -> !d.equals(before) && nodes.leadsTo(before, d)))
        .toList();
  }

  /**
   * Whether a node never runs: it is on an arm that is not taken, gets nothing but from such nodes,
   * or is for the elements of an expand that never runs.
   */
  boolean isSkipped(String key) {
    return of(new Step(elements.outermost(key), 0)) == Fate.SKIPPED;
  }

  private boolean isBroken(String key) {
    String expand = nodes.expand(key);
    if (!expand.isEmpty() && isBroken(expand)) {
      return true;
    }
    return steps(key).stream().anyMatch(this::isBroken);
  }

  /** Whether a step leaves those that depend on it with nothing to go on from. */
  boolean isBroken(Step step) {
    return switch (of(step)) {
      case RUNS -> isFailing(step) && nodes.strategy(step.key()) != Strategy.IGNORE;
      case SKIPPED -> false;
      case LOST -> true;
    };
  }

  /** The steps of a node; an expand that fails or does not run makes no elements. */
  List<Step> steps(String key) {
    return elements.steps(key, this::steps, this::made);
  }

  /** The elements an expand makes in the run, by its key and their own indexes. */
  List<Step> elementsOf(Step expand) {
    return elements.first(made(expand), expand);
  }

  private int made(Step expand) {
    return of(expand) == Fate.RUNS && !isFailing(expand) ? nodes.elements(expand) : 0;
  }

  /** The steps and the elements whose values a step gets, in order. */
  List<Step> inputs(Step step) {
    List<Step> inputs = new ArrayList<>();
    for (String key : nodes.inputs(step.key())) {
      inputs.addAll(values(key, step));
    }
    return inputs;
  }

  /** What one node gives to a step: one value in the same place, or all of those inside. */
  List<Step> values(String key, Step step) {
    String spread = elements.spread(key);
    if (spread.equals(nodes.expand(step.key()))) {
      return List.of(new Step(key, step.index()));
    }
    return elementsOf(new Step(spread, step.index())).stream()
        .map(element -> new Step(key, element.index()))
        .toList();
  }
}
