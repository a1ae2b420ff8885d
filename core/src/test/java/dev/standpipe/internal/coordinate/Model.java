package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.GraphNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a run must do, by definition: a step may start when all that it names as input, or as
 * earlier, has ended. Knows nothing of links and counters.
 */
public final class Model {
  /** One unit of work of a run. */
  public record Step(String key, int index) {}

  /** How often a node runs. */
  public enum Kind {
    ONCE,
    EXPAND,
    PER_ELEMENT,
    DIVERT,
    CONVERGE,
    BARRIER
  }

  private static final String DELAY = "d";

  private record Look(
      Set<Step> ended,
      Map<Step, Integer> yielded,
      Set<String> skipped,
      Map<String, Boolean> known) {}

  private record Choice(List<String> arms, String taken) {}

  private record Place(String divert, String arm) {}

  /** How many elements an expand inside another may yield. */
  static final int WIDTH = 4;

  private final Map<String, Boolean> awaits = new LinkedHashMap<>();
  private final Set<String> calls = new HashSet<>();
  private final Map<String, Choice> choices = new HashMap<>();
  private final Map<String, Place> places = new HashMap<>();
  private Place place;

  private record Entry(
      Kind kind, String expand, int elements, List<String> inputs, List<String> dependencies) {
    Entry(Kind kind, String expand, int elements, List<String> inputs) {
      this(kind, expand, elements, List.copyOf(inputs), new ArrayList<>(inputs));
    }
  }

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  Model() {
    entries.put(GraphNode.INPUT_KEY, new Entry(Kind.ONCE, "", 0, List.of()));
  }

  String add(Kind kind, List<String> inputs) {
    return put(new Entry(kind, "", 0, inputs));
  }

  /** A node that passes its input's value on. */
  String addDelay(String input) {
    return put(DELAY + entries.size(), new Entry(Kind.ONCE, "", 0, List.of(input)));
  }

  String addDelayBelow(String expand, String input) {
    return put(DELAY + entries.size(), new Entry(Kind.PER_ELEMENT, expand, 0, List.of(input)));
  }

  /** Whether a node passes its input's value on, and so has no body that could fail. */
  public static boolean isDelay(String key) {
    return key.startsWith(DELAY);
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

  String addBelow(String expand, String input) {
    return put(new Entry(Kind.PER_ELEMENT, expand, 0, List.of(input)));
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

  /** Whether a node calls another run. */
  public boolean isCall(String key) {
    return calls.contains(key);
  }

  /** The steps that wait for a signal. */
  public List<Step> awaits() {
    return awaits.keySet().stream().flatMap(key -> steps(key).stream()).toList();
  }

  /** Whether a node waits for a signal. */
  public boolean isAwait(String key) {
    return awaits.containsKey(key);
  }

  /** Whether an await has something to go on with when no signal comes. */
  public boolean expires(String key) {
    return awaits.get(key);
  }

  /** A divert that takes this one of its arms. */
  String addDivert(String input, List<String> arms, String taken) {
    String key = add(Kind.DIVERT, List.of(input));
    choices.put(key, new Choice(arms, taken));
    return key;
  }

  /** What brings together the arms, given the nodes they end with. */
  String addConverge(String divert, List<String> ends) {
    List<String> inputs = new ArrayList<>(List.of(divert));
    inputs.addAll(ends);
    return put(divert + ":converge", new Entry(Kind.CONVERGE, "", 0, inputs));
  }

  /** What waits for all that was added before it on the same arm, and all that is added after. */
  String addBarrier() {
    List<String> before = entries.keySet().stream().filter(key -> isOn(key, place)).toList();
    String source = place == null ? GraphNode.INPUT_KEY : inputs(place.divert()).get(0);
    String key = add(Kind.BARRIER, List.of(source));
    entries.get(key).dependencies().addAll(before);
    return key;
  }

  private boolean isOn(String key, Place arm) {
    if (arm == null) {
      return true;
    }
    for (Place at = places.get(key); at != null; at = places.get(at.divert())) {
      if (at.equals(arm)) {
        return true;
      }
    }
    return false;
  }

  /** From here on, what is added is on this arm; and so is all on arms within. */
  void enter(String divert, String arm) {
    place = new Place(divert, arm);
  }

  /** From here on, what is added is where the divert is. */
  void leave(String divert) {
    place = places.get(divert);
  }

  /** Whether the nodes are on different arms of one divert, so that never both run. */
  boolean areArmsApart(String one, String other) {
    for (Place at = places.get(one); at != null; at = places.get(at.divert())) {
      for (Place of = places.get(other); of != null; of = places.get(of.divert())) {
        if (at.divert().equals(of.divert()) && !at.arm().equals(of.arm())) {
          return true;
        }
      }
    }
    return false;
  }

  private String put(Entry entry) {
    return put("n" + entries.size(), entry);
  }

  private String put(String key, Entry entry) {
    entries.put(key, entry);
    if (place != null) {
      places.put(key, place);
      entry.dependencies().add(place.divert());
    }
    entries.keySet().stream()
        .filter(other -> !other.equals(key) && kind(other) == Kind.BARRIER)
        .filter(barrier -> isOn(key, places.get(barrier)))
        .forEach(entry.dependencies()::add);
    return key;
  }

  /** The arm a divert takes. */
  public String taken(String divert) {
    return choices.get(divert).taken();
  }

  /** The node the arm taken ends with. */
  public String end(String converge) {
    List<String> inputs = inputs(converge);
    Choice choice = choices.get(inputs.get(0));
    return inputs.get(1 + choice.arms().indexOf(choice.taken()));
  }

  /** Whether a node is on an arm that is not taken, or gets nothing but from such nodes. */
  public boolean isSkipped(String key) {
    return skipped().contains(key);
  }

  /** The nodes that never run. */
  Set<String> skipped() {
    Set<String> skipped = new HashSet<>();
    entries.forEach(
        (key, entry) -> {
          Place at = places.get(key);
          boolean passedBy =
              at != null && (skipped.contains(at.divert()) || !taken(at.divert()).equals(at.arm()));
          if (passedBy || (!entry.inputs().isEmpty() && skipped.containsAll(entry.inputs()))) {
            skipped.add(key);
          }
        });
    return skipped;
  }

  void order(String earlier, String later) {
    entries.get(later).dependencies().add(earlier);
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
      for (String next : entries.get(open.remove()).dependencies()) {
        if (seen.add(next)) {
          open.add(next);
        }
      }
    }
    return seen;
  }

  /** Whether both run below one expand, for different elements of it. */
  boolean areElementsApart(Step one, Step other) {
    Map<String, Integer> below = places(one);
    return places(other).entrySet().stream()
        .anyMatch(at -> below.getOrDefault(at.getKey(), at.getValue()) != at.getValue().intValue());
  }

  /** For which element of each expand around it a step runs. */
  private Map<String, Integer> places(Step step) {
    Map<String, Integer> places = new HashMap<>();
    int index = step.index();
    for (String at = expand(step.key()); !at.isEmpty(); at = expand(at)) {
      places.put(at, index);
      index = expandIndex(at, index);
    }
    return places;
  }

  /** The index of the expand that yielded the element of this index. */
  private int expandIndex(String expand, int element) {
    return expand(expand).isEmpty() ? 0 : element / WIDTH;
  }

  /** How often a node runs. */
  public Kind kind(String key) {
    return entries.get(key).kind();
  }

  /** Whether there is something of a node's own to run. */
  public boolean hasBody(String key) {
    return kind(key) != Kind.CONVERGE
        && kind(key) != Kind.BARRIER
        && !isDelay(key)
        && !isAwait(key)
        && !isCall(key);
  }

  /** The nodes whose values a node gets, in order. */
  public List<String> inputs(String key) {
    return entries.get(key).inputs();
  }

  /** Every node, after those whose values it gets; the input first. */
  public List<String> keys() {
    return List.copyOf(entries.keySet());
  }

  /** The expand below which a node runs; empty if it does not. */
  public String expand(String key) {
    return entries.get(key).expand();
  }

  /** How many elements an expand makes; inside another, not as many for each element. */
  public int elements(Step step) {
    Entry entry = entries.get(step.key());
    return entry.expand().isEmpty() || entry.kind() != Kind.EXPAND
        ? entry.elements()
        : (entry.elements() + step.index()) % WIDTH;
  }

  /** The elements of an expand, by its key and their own indexes. */
  public List<Step> elementsOf(Step expand) {
    int first = expand(expand.key()).isEmpty() ? 0 : expand.index() * WIDTH;
    return IntStream.range(first, first + elements(expand))
        .mapToObj(index -> new Step(expand.key(), index))
        .toList();
  }

  /** The steps and the elements whose values a step gets, in order. */
  public List<Step> inputs(Step step) {
    List<Step> inputs = new ArrayList<>();
    for (String key : inputs(step.key())) {
      inputs.addAll(values(key, step));
    }
    return inputs;
  }

  /** What one node gives to a step: one value in the same place, or all of those inside. */
  private List<Step> values(String key, Step step) {
    String scope = expand(step.key());
    String spread = kind(key) == Kind.EXPAND ? key : expand(key);
    if (spread.equals(scope)) {
      return List.of(new Step(key, step.index()));
    }
    return elementsOf(new Step(spread, step.index())).stream()
        .map(element -> new Step(key, element.index()))
        .toList();
  }

  long count(Kind kind) {
    return entries.values().stream().filter(entry -> entry.kind() == kind).count();
  }

  /** Every step there is to run, the input left out. */
  public Set<Step> all() {
    Set<Step> all = new HashSet<>();
    Set<String> skipped = skipped();
    entries.keySet().stream()
        .filter(key -> !key.equals(GraphNode.INPUT_KEY) && !skipped.contains(key))
        .forEach(key -> all.addAll(steps(key)));
    return all;
  }

  /**
   * Those that may start once these have ended, and these expands have yielded so many elements.
   */
  Set<Step> startable(Set<Step> ended, Map<Step, Integer> yielded) {
    Set<Step> startable = new HashSet<>();
    Look look = new Look(ended, yielded, skipped(), new HashMap<>());
    for (Step step : all()) {
      if (mayStart(step, look)) {
        startable.add(step);
      }
    }
    return startable;
  }

  private boolean mayStart(Step step, Look look) {
    Entry entry = entries.get(step.key());
    if (entry.expand().isEmpty()) {
      return entry.dependencies().stream().allMatch(key -> hasEnded(key, look));
    }
    String input = entry.inputs().get(0);
    if (input.equals(entry.expand())) {
      return isYielded(step.index(), input, look);
    }
    String spread = kind(input) == Kind.EXPAND ? input : expand(input);
    if (entry.kind() == Kind.ONCE && !spread.equals(entry.expand())) {
      return look.ended().contains(new Step(spread, step.index()))
          && (input.equals(spread) || look.ended().containsAll(values(input, step)));
    }
    return look.ended().contains(new Step(input, step.index()));
  }

  private boolean isYielded(int element, String expand, Look look) {
    Step step = new Step(expand, expandIndex(expand, element));
    return look.ended().contains(step) || element < look.yielded().getOrDefault(step, 0);
  }

  /**
   * The elements of an expand that has not ended are not there yet, so none of them has. What is
   * skipped has ended when all has that it would have waited for.
   */
  private boolean hasEnded(String key, Look look) {
    Boolean known = look.known().get(key);
    if (known == null) {
      known = key.equals(GraphNode.INPUT_KEY) || findOut(key, look);
      look.known().put(key, known);
    }
    return known;
  }

  private boolean findOut(String key, Look look) {
    Entry entry = entries.get(key);
    if (look.skipped().contains(key)) {
      return entry.dependencies().stream().allMatch(before -> hasEnded(before, look));
    }
    boolean elementsKnown = entry.expand().isEmpty() || hasEnded(entry.expand(), look);
    return elementsKnown && look.ended().containsAll(steps(key));
  }

  /** The steps of a node. */
  public List<Step> steps(String key) {
    String expand = entries.get(key).expand();
    if (expand.isEmpty()) {
      return List.of(new Step(key, 0));
    }
    return steps(expand).stream()
        .flatMap(step -> elementsOf(step).stream())
        .map(element -> new Step(key, element.index()))
        .toList();
  }
}
