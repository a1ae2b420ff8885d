package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.coordinate.Model.Kind;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.ModelArms.Arm;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The nodes that were wired: whose values each gets, whom it waits for, and what it is. */
final class ModelNodes {
  /** How many elements an expand inside another may yield. */
  static final int WIDTH = 4;

  private static final String DELAY = "d";
  private static final String LOOP = "l";

  private record Entry(
      Kind kind, String expand, int elements, List<String> inputs, List<String> dependencies) {
    Entry(Kind kind, String expand, int elements, List<String> inputs) {
      this(kind, expand, elements, List.copyOf(inputs), new ArrayList<>(inputs));
    }
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final ModelArms arms = new ModelArms();
  private final Map<String, Boolean> awaits = new LinkedHashMap<>();
  private final Set<String> calls = new HashSet<>();
  private final Map<String, Strategy> strategies = new HashMap<>();
  private Strategy strategy = Strategy.HALT;

  ModelNodes() {
    entries.put(GraphNode.INPUT_KEY, new Entry(Kind.ONCE, "", 0, List.of()));
  }

  String add(Kind kind, List<String> inputs) {
    return put(new Entry(kind, "", 0, inputs));
  }

  String addBelow(String expand, String input) {
    return put(new Entry(Kind.PER_ELEMENT, expand, 0, List.of(input)));
  }

  /** A step on one value; one in three is a loop. */
  String addStep(String input) {
    return put(stepKey(), new Entry(Kind.ONCE, "", 0, List.of(input)));
  }

  String addStepBelow(String expand, String input) {
    return put(stepKey(), new Entry(Kind.PER_ELEMENT, expand, 0, List.of(input)));
  }

  private String stepKey() {
    return (entries.size() % 3 == 0 ? LOOP : "n") + entries.size();
  }

  /** A node that passes its input's value on. */
  String addDelay(String input) {
    return put(DELAY + entries.size(), new Entry(Kind.ONCE, "", 0, List.of(input)));
  }

  String addDelayBelow(String expand, String input) {
    return put(DELAY + entries.size(), new Entry(Kind.PER_ELEMENT, expand, 0, List.of(input)));
  }

  String addExpand(String input, int elements) {
    return put(new Entry(Kind.EXPAND, "", elements, List.of(input)));
  }

  /** An expand that yields elements for each element of another; not as many for each. */
  String addExpandInside(String outside, String input, int elements) {
    return put(new Entry(Kind.EXPAND, outside, elements, List.of(input)));
  }

  /** Brings the elements of an expand inside together, for each element of the one outside. */
  String addCollapseInside(String outside, String input) {
    return put(new Entry(Kind.ONCE, outside, 0, List.of(input)));
  }

  /** A divert that takes this one of its arms. */
  String addDivert(String input, List<String> arms, int taken) {
    return addDivertBelow("", input, arms, taken);
  }

  /** A divert that each element of an expand takes another arm of. */
  String addDivertBelow(String expand, String input, List<String> names, int first) {
    String key = put(new Entry(Kind.DIVERT, expand, 0, List.of(input)));
    arms.choose(key, names, first);
    return key;
  }

  /** What brings together the arms, given the nodes they end with. */
  String addConverge(String divert, List<String> ends) {
    List<String> inputs = new ArrayList<>(List.of(divert));
    inputs.addAll(ends);
    return put(divert + ":converge", new Entry(Kind.CONVERGE, expand(divert), 0, inputs));
  }

  /** What waits for all that was added before it on the same arm, and all that is added after. */
  String addBarrier() {
    Arm arm = arms.current();
    List<String> before = entries.keySet().stream().filter(key -> arms.isOn(key, arm)).toList();
    String source = arm == null ? GraphNode.INPUT_KEY : inputs(arm.divert()).get(0);
    String key = add(Kind.BARRIER, List.of(source));
    entries.get(key).dependencies().addAll(before);
    return key;
  }

  private String put(Entry entry) {
    return put("n" + entries.size(), entry);
  }

  private String put(String key, Entry entry) {
    entries.put(key, entry);
    arms.add(key);
    Arm arm = arms.of(key);
    if (arm != null) {
      entry.dependencies().add(arm.divert());
    }
    entries.keySet().stream()
        .filter(other -> !other.equals(key) && kind(other) == Kind.BARRIER)
        .filter(barrier -> arms.isOn(key, arms.of(barrier)))
        .forEach(entry.dependencies()::add);
    return key;
  }

  void order(String earlier, String later) {
    entries.get(later).dependencies().add(earlier);
  }

  /** Notes that what was added last waits for a signal; and whether it does so for ever. */
  String awaiting(String key, boolean expires) {
    awaits.put(key, expires);
    return key;
  }

  /** Notes that what was added last calls another run. */
  String calling(String key) {
    calls.add(key);
    return key;
  }

  /** What is said for all steps about their failures. */
  void strategy(Strategy strategy) {
    this.strategy = strategy;
  }

  /** What a step says about its failure. */
  void strategy(String key, Strategy said) {
    strategies.put(key, said);
  }

  Strategy strategy() {
    return strategy;
  }

  /** What the failure of a step means; that of a divert cannot be ignored. */
  Strategy strategy(String key) {
    Strategy said = strategies.getOrDefault(key, strategy);
    return kind(key) == Kind.DIVERT && said == Strategy.IGNORE ? Strategy.CONTINUE : said;
  }

  ModelArms arms() {
    return arms;
  }

  /** Every node, after those whose values it gets; the input first. */
  List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  Kind kind(String key) {
    return entries.get(key).kind();
  }

  /** The expand below which a node runs; empty if it does not. */
  String expand(String key) {
    return entries.get(key).expand();
  }

  /** The nodes whose values a node gets, in order. */
  List<String> inputs(String key) {
    return entries.get(key).inputs();
  }

  /** The nodes that a node waits for. */
  List<String> dependencies(String key) {
    return entries.get(key).dependencies();
  }

  /** Whether one node is, or leads to, the other. */
  boolean leadsTo(String from, String to) {
    return ancestors(to).contains(from);
  }

  /** A node and everything it depends on. */
  Set<String> ancestors(String key) {
    Set<String> seen = new HashSet<>(Set.of(key));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String next : dependencies(open.remove())) {
        if (seen.add(next)) {
          open.add(next);
        }
      }
    }
    return seen;
  }

  /** How many elements an expand makes; inside another, not as many for each element. */
  int elements(Step step) {
    Entry entry = entries.get(step.key());
    return entry.expand().isEmpty() || entry.kind() != Kind.EXPAND
        ? entry.elements()
        : (entry.elements() + step.index()) % WIDTH;
  }

  /** The nodes that wait for a signal, and whether each has something to go on with without. */
  Map<String, Boolean> awaits() {
    return awaits;
  }

  boolean isCall(String key) {
    return calls.contains(key);
  }

  static boolean isLoop(String key) {
    return key.startsWith(LOOP);
  }

  static boolean isDelay(String key) {
    return key.startsWith(DELAY);
  }

  /** Whether there is something of a node's own to run. */
  boolean hasBody(String key) {
    return kind(key) != Kind.CONVERGE
        && kind(key) != Kind.BARRIER
        && !isDelay(key)
        && !awaits.containsKey(key)
        && !isCall(key);
  }
}
