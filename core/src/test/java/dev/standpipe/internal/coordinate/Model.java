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

  /** Elements take arms by turns. */
  private record Choice(List<String> arms, int first) {
    String taken(int index) {
      return arms.get((first + index) % arms.size());
    }
  }

  private record Place(String divert, String arm) {}

  /** How many elements an expand inside another may yield. */
  static final int WIDTH = 4;

  private final Map<String, Boolean> awaits = new LinkedHashMap<>();
  private final Set<String> calls = new HashSet<>();
  private final Map<String, Choice> choices = new HashMap<>();
  private final Map<String, Place> places = new HashMap<>();
  private Place place;
  private Set<String> skipped;

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
  String addDivert(String input, List<String> arms, int taken) {
    return addDivertBelow("", input, arms, taken);
  }

  /** A divert that each element of an expand takes another arm of. */
  String addDivertBelow(String expand, String input, List<String> arms, int first) {
    String key = put(new Entry(Kind.DIVERT, expand, 0, List.of(input)));
    choices.put(key, new Choice(arms, first));
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
    skipped = null;
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
  public String taken(Step divert) {
    return choices.get(divert.key()).taken(divert.index());
  }

  /** What the arm taken ends with. */
  public Step end(Step converge) {
    List<String> inputs = inputs(converge.key());
    Choice choice = choices.get(inputs.get(0));
    int arm = choice.arms().indexOf(choice.taken(converge.index()));
    return new Step(inputs.get(1 + arm), converge.index());
  }

  /**
   * Whether a node never runs: it is on an arm that is not taken, gets nothing but from such nodes,
   * or is for the elements of an expand that never runs.
   */
  public boolean isSkipped(String key) {
    return skipped().contains(key);
  }

  /** The nodes that never run. */
  Set<String> skipped() {
    if (skipped == null) {
      Set<String> found = new HashSet<>();
      entries.forEach(
          (key, entry) -> {
            if (entry.expand().isEmpty() ? isSkipped(key, found) : found.contains(entry.expand())) {
              found.add(key);
            }
          });
      skipped = found;
    }
    return skipped;
  }

  private boolean isSkipped(String key, Set<String> skipped) {
    Place at = places.get(key);
    List<String> inputs = inputs(key);
    boolean passedBy =
        at != null
            && (skipped.contains(at.divert()) || !taken(new Step(at.divert(), 0)).equals(at.arm()));
    return passedBy || (!inputs.isEmpty() && skipped.containsAll(inputs));
  }

  /** Whether a step never runs: its node does not, or it is on an arm its element does not take. */
  public boolean isSkipped(Step step) {
    if (isSkipped(step.key()) || expand(step.key()).isEmpty()) {
      return isSkipped(step.key());
    }
    Place at = places.get(step.key());
    if (at != null && expand(at.divert()).equals(expand(step.key()))) {
      Step divert = new Step(at.divert(), step.index());
      if (isSkipped(divert) || !taken(divert).equals(at.arm())) {
        return true;
      }
    }
    return inputs(step.key()).stream().allMatch(input -> isSkippedFor(step, input));
  }

  /** What comes together is skipped if the expand is that would have yielded it. */
  private boolean isSkippedFor(Step step, String input) {
    String scope = expand(step.key());
    if (input.equals(scope)) {
      return false;
    }
    String decisive = expand(input).equals(scope) ? input : expand(input);
    return isSkipped(new Step(decisive, step.index()));
  }

  /** The steps that never run though their elements are there. */
  Set<Step> skippedElements() {
    Set<Step> elements = new HashSet<>();
    entries.keySet().stream()
        .filter(key -> !expand(key).isEmpty() && !isSkipped(key))
        .forEach(key -> steps(key).stream().filter(this::isSkipped).forEach(elements::add));
    return elements;
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
    if (entry.expand().isEmpty() || entry.kind() != Kind.EXPAND) {
      return entry.elements();
    }
    return isSkipped(step) ? 0 : (entry.elements() + step.index()) % WIDTH;
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
        .flatMap(key -> steps(key).stream())
        .filter(step -> !isSkipped(step))
        .forEach(all::add);
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
    List<String> before = new ArrayList<>(entry.inputs());
    Place at = places.get(step.key());
    if (at != null && expand(at.divert()).equals(entry.expand())) {
      before.add(at.divert());
    }
    return before.stream().allMatch(key -> hasEndedFor(step, key, look));
  }

  /** What an element needs to have ended: what is in the same place, or all of what is inside. */
  private boolean hasEndedFor(Step step, String key, Look look) {
    String scope = expand(step.key());
    if (key.equals(scope)) {
      return isYielded(step.index(), key, look);
    }
    if (expand(key).equals(scope) && kind(key) != Kind.EXPAND) {
      return hasEnded(new Step(key, step.index()), look);
    }
    String spread = kind(key) == Kind.EXPAND ? key : expand(key);
    return hasEnded(new Step(spread, step.index()), look)
        && (key.equals(spread) || look.ended().containsAll(values(key, step)));
  }

  /** A step that is skipped has ended when all has that it would have waited for. */
  private boolean hasEnded(Step step, Look look) {
    return isSkipped(step) ? mayStart(step, look) : look.ended().contains(step);
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
    return elementsKnown && steps(key).stream().allMatch(step -> hasEnded(step, look));
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
