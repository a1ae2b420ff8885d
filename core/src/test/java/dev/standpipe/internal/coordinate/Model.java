package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Strategy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

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

  private static final String DELAY = "d";

  private record Look(Set<Step> ended, Map<Step, Integer> yielded, Map<String, Boolean> known) {}

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
  private final Map<String, Strategy> strategies = new HashMap<>();
  private final Map<Step, Fate> fates = new HashMap<>();
  private Strategy strategy = Strategy.HALT;
  private Set<Step> failing = Set.of();
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
    fates.clear();
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
    String expand = expand(key);
    return expand.isEmpty() ? fate(new Step(key, 0)) == Fate.SKIPPED : isSkipped(expand);
  }

  /** What is said for all steps about their failures. */
  void strategy(Strategy strategy) {
    this.strategy = strategy;
  }

  /** What a step says about its failure. */
  void strategy(String key, Strategy said) {
    strategies.put(key, said);
  }

  /** What the failure of a step means; that of a divert cannot be ignored. */
  public Strategy strategy(String key) {
    Strategy said = strategies.getOrDefault(key, strategy);
    return kind(key) == Kind.DIVERT && said == Strategy.IGNORE ? Strategy.CONTINUE : said;
  }

  /** These are the steps that fail, if they run. */
  public void failing(Set<Step> steps) {
    failing = Set.copyOf(steps);
    fates.clear();
  }

  /** Whether a step fails, if it runs. */
  public boolean isFailing(Step step) {
    return failing.contains(step);
  }

  /** Whether a step runs; by definition, and step by step. */
  public Fate fate(Step step) {
    Fate known = fates.get(step);
    if (known == null) {
      known = findFate(step);
      fates.put(step, known);
    }
    return known;
  }

  private Fate findFate(Step step) {
    Place at = places.get(step.key());
    if (at != null) {
      Step divert = around(at.divert(), step);
      if (fate(divert) == Fate.SKIPPED) {
        return Fate.SKIPPED;
      }
      if (isBroken(divert)) {
        return Fate.LOST;
      }
      if (!taken(divert).equals(at.arm())) {
        return Fate.SKIPPED;
      }
    }
    Entry entry = entries.get(step.key());
    if (bringsTogether(step.key())) {
      Step expand = new Step(spread(entry.inputs().get(0)), step.index());
      boolean broken = isBroken(expand) || inputs(step).stream().anyMatch(this::isBroken);
      return broken ? Fate.LOST : fate(expand);
    }
    if (!entry.expand().isEmpty()) {
      List<Step> inputs = entry.inputs().stream().map(input -> inputOf(step, input)).toList();
      boolean nothingComes = inputs.stream().allMatch(input -> fate(input) == Fate.SKIPPED);
      boolean broken = inputs.stream().anyMatch(this::isBroken);
      return broken ? Fate.LOST : nothingComes ? Fate.SKIPPED : Fate.RUNS;
    }
    if (edges(step.key()).stream().anyMatch(this::isBroken)) {
      return Fate.LOST;
    }
    boolean nothingComes =
        !entry.inputs().isEmpty() && entry.inputs().stream().allMatch(this::isSkipped);
    return nothingComes ? Fate.SKIPPED : Fate.RUNS;
  }

  /** A barrier is wired to the last of those before it, and to the first of those after it. */
  private List<String> edges(String key) {
    List<String> all = entries.get(key).dependencies();
    return all.stream()
        .filter(
            before ->
                (kind(key) != Kind.BARRIER && kind(before) != Kind.BARRIER)
                    || all.stream()
                        .noneMatch(d -> !d.equals(before) && ancestors(d).contains(before)))
        .toList();
  }

  /** The step of a node for the element outside which, or in which, another step runs. */
  private Step around(String key, Step step) {
    int index = step.index();
    for (String at = expand(step.key()); !at.equals(expand(key)); at = expand(at)) {
      index = expandIndex(at, index);
    }
    return new Step(key, index);
  }

  private Step inputOf(Step element, String input) {
    boolean first = input.equals(expand(element.key()));
    return new Step(input, first ? expandIndex(input, element.index()) : element.index());
  }

  private boolean isBroken(String key) {
    String expand = expand(key);
    if (!expand.isEmpty() && isBroken(expand)) {
      return true;
    }
    return steps(key).stream().anyMatch(this::isBroken);
  }

  /** Whether a step leaves those that depend on it with nothing to go on from. */
  private boolean isBroken(Step step) {
    return switch (fate(step)) {
      case RUNS -> isFailing(step) && strategy(step.key()) != Strategy.IGNORE;
      case SKIPPED -> false;
      case LOST -> true;
    };
  }

  private String outermost(String key) {
    return expand(key).isEmpty() ? key : outermost(expand(key));
  }

  /** Every step that does not run; under the index -1 all elements of what did not run itself. */
  Map<Step, Fate> absent() {
    Map<Step, Fate> absent = new HashMap<>();
    for (String key : entries.keySet()) {
      String expand = expand(key);
      Step above = new Step(outermost(key), 0);
      if (!expand.isEmpty() && fate(above) != Fate.RUNS) {
        absent.put(new Step(key, -1), fate(above));
      } else if (!expand.isEmpty() && isBroken(above)) {
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
    Set<Step> elements = new HashSet<>();
    entries.keySet().stream()
        .filter(key -> !expand(key).isEmpty() && !isSkipped(key))
        .flatMap(key -> steps(key).stream())
        .filter(step -> fate(step) == Fate.SKIPPED)
        .forEach(elements::add);
    return elements;
  }

  void order(String earlier, String later) {
    entries.get(later).dependencies().add(earlier);
    fates.clear();
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

  /** The elements an expand makes in the run, by its key and their own indexes. */
  public List<Step> elementsOf(Step expand) {
    return elements(expand, made(expand));
  }

  private List<Step> elements(Step expand, int count) {
    int first = expand(expand.key()).isEmpty() ? 0 : expand.index() * WIDTH;
    return IntStream.range(first, first + count)
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
    if (spread(key).equals(expand(step.key()))) {
      return List.of(new Step(key, step.index()));
    }
    return elementsOf(new Step(spread(key), step.index())).stream()
        .map(element -> new Step(key, element.index()))
        .toList();
  }

  /** The expand whose elements, or whose elements' values, a node gives. */
  private String spread(String key) {
    return kind(key) == Kind.EXPAND ? key : expand(key);
  }

  /** Whether a node is a collapse inside of an expand. */
  private boolean bringsTogether(String key) {
    return kind(key) == Kind.ONCE
        && !expand(key).isEmpty()
        && !spread(inputs(key).get(0)).equals(expand(key));
  }

  long count(Kind kind) {
    return entries.values().stream().filter(entry -> entry.kind() == kind).count();
  }

  /** Every step there is to run, the input left out. */
  public Set<Step> all() {
    Set<Step> all = new HashSet<>();
    for (String key : entries.keySet()) {
      if (!key.equals(GraphNode.INPUT_KEY)) {
        steps(key).stream().filter(step -> fate(step) == Fate.RUNS).forEach(all::add);
      }
    }
    return all;
  }

  /** Every step there could be, whatever is skipped or fails, the input left out. */
  public Set<Step> possible() {
    Set<Step> possible = new HashSet<>();
    List<String> bodies = new ArrayList<>(entries.keySet());
    bodies.remove(GraphNode.INPUT_KEY);
    bodies.forEach(key -> possible.addAll(possible(key)));
    return possible;
  }

  private List<Step> possible(String key) {
    return each(key, this::possible, this::elements);
  }

  /** Whether the failure of a step halts its run, sooner or later. */
  public boolean halts(String key) {
    return strategy == Strategy.HALT || strategy(key) == Strategy.HALT;
  }

  /**
   * Those that may start once these have ended, and these expands have yielded so many elements.
   */
  Set<Step> startable(Set<Step> ended, Map<Step, Integer> yielded) {
    Set<Step> startable = new HashSet<>();
    Look look = new Look(ended, yielded, new HashMap<>());
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
    if (bringsTogether(step.key())) {
      String input = entry.inputs().get(0);
      return hasEnded(new Step(spread(input), step.index()), look)
          && (input.equals(spread(input))
              || values(input, step).stream().allMatch(value -> hasEnded(value, look)));
    }
    return before.stream()
        .allMatch(
            key ->
                key.equals(entry.expand())
                    ? isYielded(step.index(), key, look)
                    : hasEnded(new Step(key, step.index()), look));
  }

  private boolean isYielded(int element, String expand, Look look) {
    Step step = new Step(expand, expandIndex(expand, element));
    return hasEnded(step, look) || element < look.yielded().getOrDefault(step, 0);
  }

  /** The elements of an expand that has not ended are not there yet, so none of them has. */
  private boolean hasEnded(String key, Look look) {
    Boolean known = look.known().get(key);
    if (known == null) {
      String expand = expand(key);
      known =
          (expand.isEmpty() || hasEnded(expand, look))
              && steps(key).stream().allMatch(step -> hasEnded(step, look));
      look.known().put(key, known);
    }
    return known;
  }

  /** What does not run has ended when all has that it would have waited for. */
  private boolean hasEnded(Step step, Look look) {
    if (step.key().equals(GraphNode.INPUT_KEY)) {
      return true;
    }
    return fate(step) == Fate.RUNS ? look.ended().contains(step) : mayStart(step, look);
  }

  /** The steps of a node; an expand that fails or does not run makes no elements. */
  public List<Step> steps(String key) {
    return each(key, this::steps, this::made);
  }

  private List<Step> each(
      String key, Function<String, List<Step>> expands, ToIntFunction<Step> count) {
    String expand = expand(key);
    if (expand.isEmpty()) {
      return List.of(new Step(key, 0));
    }
    return expands.apply(expand).stream()
        .flatMap(step -> elements(step, count.applyAsInt(step)).stream())
        .map(element -> new Step(key, element.index()))
        .toList();
  }

  /** How many elements an expand yields in the run. */
  private int made(Step expand) {
    return fate(expand) == Fate.RUNS && !isFailing(expand) ? elements(expand) : 0;
  }
}
