package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Strategy;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a run must do, by definition: a step may start when all that it names as input, or as
 * earlier, has ended. Knows nothing of links and counters.
 */
public final class Model {
  /** One unit of work of a run. */
  public record Step(String key, int index) {}

  /** Whether a step runs. */
  public enum Fate {
    RUNS,
    SKIPPED,
    LOST
  }

  /** How often a node runs. */
  public enum Kind {
    ONCE,
    EXPAND,
    PER_ELEMENT,
    DIVERT,
    CONVERGE,
    BARRIER
  }

  private final ModelNodes nodes;
  private final ModelElements elements;
  private final ModelFates fates;

  /** Of nodes that have all been wired. */
  Model(ModelNodes nodes) {
    this.nodes = nodes;
    this.elements = new ModelElements(nodes);
    this.fates = new ModelFates(nodes, elements);
  }

  /** Every node, after those whose values it gets; the input first. */
  public List<String> keys() {
    return nodes.keys();
  }

  /** How often a node runs. */
  public Kind kind(String key) {
    return nodes.kind(key);
  }

  long count(Kind kind) {
    return nodes.keys().stream().filter(key -> kind(key) == kind).count();
  }

  /** The expand below which a node runs; empty if it does not. */
  public String expand(String key) {
    return nodes.expand(key);
  }

  /** The nodes whose values a node gets, in order. */
  public List<String> inputs(String key) {
    return nodes.inputs(key);
  }

  /** Whether one node is, or leads to, the other. */
  boolean leadsTo(String from, String to) {
    return nodes.leadsTo(from, to);
  }

  /** A node and everything it depends on. */
  Set<String> ancestors(String key) {
    return nodes.ancestors(key);
  }

  /** Whether there is something of a node's own to run. */
  public boolean hasBody(String key) {
    return nodes.hasBody(key);
  }

  /** Whether a node passes its input's value on, and so has no body that could fail. */
  public static boolean isDelay(String key) {
    return ModelNodes.isDelay(key);
  }

  /** Whether a node runs turn after turn. */
  public static boolean isLoop(String key) {
    return ModelNodes.isLoop(key);
  }

  /** Whether a node calls another run. */
  public boolean isCall(String key) {
    return nodes.isCall(key);
  }

  /** Whether a node waits for a signal. */
  public boolean isAwait(String key) {
    return nodes.awaits().containsKey(key);
  }

  /** Whether an await has something to go on with when no signal comes. */
  public boolean expires(String key) {
    return nodes.awaits().get(key);
  }

  /** The steps that wait for a signal. */
  public List<Step> awaits() {
    return nodes.awaits().keySet().stream().flatMap(key -> steps(key).stream()).toList();
  }

  /** The arm a divert takes. */
  public String taken(Step divert) {
    return nodes.arms().taken(divert);
  }

  /** What the arm taken ends with. */
  public Step end(Step converge) {
    List<String> inputs = inputs(converge.key());
    int arm = nodes.arms().takenAt(new Step(inputs.get(0), converge.index()));
    return new Step(inputs.get(1 + arm), converge.index());
  }

  /** What the failure of a step means; that of a divert cannot be ignored. */
  public Strategy strategy(String key) {
    return nodes.strategy(key);
  }

  /** Whether the failure of a step halts its run, sooner or later. */
  public boolean halts(String key) {
    return nodes.strategy() == Strategy.HALT || strategy(key) == Strategy.HALT;
  }

  /** These are the steps that fail, if they run. */
  public void failing(Set<Step> steps) {
    fates.failing(steps);
  }

  /** Whether a step fails, if it runs. */
  public boolean isFailing(Step step) {
    return fates.isFailing(step);
  }

  /** Whether a step runs. */
  public Fate fate(Step step) {
    return fates.of(step);
  }

  /** Whether a node never runs, nor any of its steps. */
  public boolean isSkipped(String key) {
    return fates.isSkipped(key);
  }

  /** The steps of a node; an expand that fails or does not run makes no elements. */
  public List<Step> steps(String key) {
    return fates.steps(key);
  }

  /** The steps and the elements whose values a step gets, in order. */
  public List<Step> inputs(Step step) {
    return fates.inputs(step);
  }

  /** How many elements an expand makes; inside another, not as many for each element. */
  public int elements(Step step) {
    return nodes.elements(step);
  }

  /** The elements an expand makes in the run, by its key and their own indexes. */
  public List<Step> elementsOf(Step expand) {
    return fates.elementsOf(expand);
  }

  /** Whether both run below one expand, for different elements of it. */
  boolean areElementsApart(Step one, Step other) {
    return elements.areApart(one, other);
  }

  /** Every step there is to run, the input left out. */
  public Set<Step> all() {
    return each(key -> steps(key).stream().filter(step -> fate(step) == Fate.RUNS).toList());
  }

  /** Every step there could be, whatever is skipped or fails, the input left out. */
  public Set<Step> possible() {
    return each(elements::possible);
  }

  private Set<Step> each(Function<String, List<Step>> steps) {
    Set<Step> each = new HashSet<>();
    nodes.keys().stream()
        .filter(key -> !key.equals(GraphNode.INPUT_KEY))
        .forEach(key -> each.addAll(steps.apply(key)));
    return each;
  }

  /**
   * Those that may start once these have ended, and these expands have yielded so many elements.
   */
  Set<Step> startable(Set<Step> ended, Map<Step, Integer> yielded) {
    ModelStarts starts = new ModelStarts(nodes, elements, fates, ended, yielded);
    return all().stream().filter(starts::mayStart).collect(Collectors.toSet());
  }

  /** Every step that does not run; under the index -1 all elements of what did not run itself. */
  Map<Step, Fate> absent() {
    Map<Step, Fate> absent = new HashMap<>();
    for (String key : nodes.keys()) {
      String expand = expand(key);
      Step above = new Step(elements.outermost(key), 0);
      if (!expand.isEmpty() && fate(above) != Fate.RUNS) {
        absent.put(new Step(key, -1), fate(above));
      } else if (!expand.isEmpty() && fates.isBroken(above)) {
        absent.put(new Step(key, -1), Fate.LOST);
      } else {
        steps(key).stream()
            .filter(step -> fate(step) != Fate.RUNS)
            .forEach(step -> absent.put(step, fate(step)));
      }
    }
    return absent;
  }

  /** The steps that never run though their elements are there. */
  Set<Step> skippedElements() {
    return nodes.keys().stream()
        .filter(key -> !expand(key).isEmpty() && !isSkipped(key))
        .flatMap(key -> steps(key).stream())
        .filter(step -> fate(step) == Fate.SKIPPED)
        .collect(Collectors.toSet());
  }
}
