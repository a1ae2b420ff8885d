package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.GraphNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    PER_ELEMENT
  }

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

  String addExpand(String input, int elements) {
    return put(new Entry(Kind.EXPAND, "", elements, List.of(input)));
  }

  String addBelow(String expand, String input) {
    return put(new Entry(Kind.PER_ELEMENT, expand, 0, List.of(input)));
  }

  private String put(Entry entry) {
    String key = "n" + entries.size();
    entries.put(key, entry);
    return key;
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
    String expand = entries.get(one.key()).expand();
    return !expand.isEmpty()
        && expand.equals(entries.get(other.key()).expand())
        && one.index() != other.index();
  }

  /** How often a node runs. */
  public Kind kind(String key) {
    return entries.get(key).kind();
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

  /** How many elements an expand makes. */
  public int elements(String key) {
    return entries.get(key).elements();
  }

  long count(Kind kind) {
    return entries.values().stream().filter(entry -> entry.kind() == kind).count();
  }

  /** Every step there is to run, the input left out. */
  public Set<Step> all() {
    Set<Step> all = new HashSet<>();
    entries.keySet().stream()
        .filter(key -> !key.equals(GraphNode.INPUT_KEY))
        .forEach(key -> all.addAll(steps(key)));
    return all;
  }

  /** Those that may start once these have ended. */
  Set<Step> startable(Set<Step> ended) {
    Set<Step> startable = new HashSet<>();
    for (Step step : all()) {
      if (mayStart(step, ended)) {
        startable.add(step);
      }
    }
    return startable;
  }

  private boolean mayStart(Step step, Set<Step> ended) {
    Entry entry = entries.get(step.key());
    if (entry.kind() == Kind.PER_ELEMENT) {
      String input = entry.dependencies().get(0);
      return input.equals(entry.expand())
          ? hasEnded(input, ended)
          : ended.contains(new Step(input, step.index()));
    }
    return entry.dependencies().stream().allMatch(key -> hasEnded(key, ended));
  }

  /** The elements of an expand that has not ended are not there yet, so none of them has. */
  private boolean hasEnded(String key, Set<Step> ended) {
    if (key.equals(GraphNode.INPUT_KEY)) {
      return true;
    }
    Entry entry = entries.get(key);
    boolean elementsKnown = entry.kind() != Kind.PER_ELEMENT || hasEnded(entry.expand(), ended);
    return elementsKnown && ended.containsAll(steps(key));
  }

  /** The steps of a node. */
  public List<Step> steps(String key) {
    Entry entry = entries.get(key);
    int count = entry.kind() == Kind.PER_ELEMENT ? elements(entry.expand()) : 1;
    return IntStream.range(0, count).mapToObj(index -> new Step(key, index)).toList();
  }
}
