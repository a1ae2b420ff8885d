package dev.standpipe.definition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The frozen shape of a pipeline, identified by the {@link #hash()} of its content.
 *
 * <p>Building one turns edges into {@link Link links}, so that what follows from a finished step is
 * read off its vertex. A vertex that depends on one other is linked directly; one that depends on
 * several counts arrivals. What waits for the elements of an expand cannot know their number in
 * advance: it counts the expand as one arrival, and the expand, when it ends with n elements,
 * raises the count by n in the same step. The run's end is one more thing that depends on several:
 * on every vertex nothing else depends on.
 *
 * <p>The run's input has always arrived, so it is only counted where it is the only dependency.
 */
public final class Graph {
  private final String pipeline;
  private final List<GraphNode> nodes;
  private final String output;
  private final EndCallbacks endCallbacks;
  private final Map<String, Vertex> vertices;
  private final ArmTree arms;
  private final Strategies strategies;
  private final IgnoredFailures ignoredFailures;
  private final int endNeed;
  private final String json;
  private final String hash;

  private Graph(
      String pipeline,
      Collection<GraphNode> nodes,
      String output,
      EndCallbacks endCallbacks,
      Strategies strategies) {
    this.pipeline = pipeline;
    this.endCallbacks = endCallbacks;
    this.nodes = nodes.stream().sorted(Comparator.comparing(GraphNode::key)).toList();
    this.output = output;
    this.vertices = new HashMap<>(this.nodes.size() * 2);
    this.arms = new ArmTree(this.nodes);
    this.strategies = strategies;
    this.endNeed = link();
    this.ignoredFailures = new IgnoredFailures(this);
    this.json = GraphJson.write(this);
    this.hash = GraphJson.hash(json);
  }

  /** Builds a graph from nodes that have been validated. The order of the nodes is irrelevant. */
  public static Graph of(String pipeline, Collection<GraphNode> nodes, String output) {
    return of(pipeline, nodes, output, EndCallbacks.NONE, Strategies.HALTING);
  }

  /** Builds a graph whose runs something follows, and some of whose failures may not halt a run. */
  public static Graph of(
      String pipeline,
      Collection<GraphNode> nodes,
      String output,
      EndCallbacks endCallbacks,
      Strategies strategies) {
    return new Graph(pipeline, nodes, output, endCallbacks, strategies);
  }

  /**
   * Reads a graph that {@link #json()} wrote.
   *
   * @throws IllegalArgumentException if it is anything else
   */
  public static Graph parse(String json) {
    return GraphJson.read(json);
  }

  /** The pipeline's name. */
  public String pipeline() {
    return pipeline;
  }

  /** All nodes, the input among them, sorted by key. */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /** The key of the node whose value is the run's result. */
  public String output() {
    return output;
  }

  /** What failures mean. */
  public Strategies strategies() {
    return strategies;
  }

  /** Whether a run may go on after a step of it has failed, so that it can end failed. */
  public boolean isLenient() {
    return strategies.isLenient();
  }

  /** What goes on though a failure stops all else. */
  public IgnoredFailures ignoredFailures() {
    return ignoredFailures;
  }

  /** What can follow the end of its runs. */
  public EndCallbacks endCallbacks() {
    return endCallbacks;
  }

  /** The graph as canonical JSON: equal graphs give equal text. */
  public String json() {
    return json;
  }

  /** SHA-256 of {@link #json()}, in hexadecimal. */
  public String hash() {
    return hash;
  }

  /** The vertex of this key, or {@code null}. */
  public @Nullable Vertex find(String key) {
    return vertices.get(key);
  }

  /** The vertex of this key, which must exist. */
  public Vertex vertex(String key) {
    Vertex vertex = vertices.get(key);
    if (vertex == null) {
      throw new IllegalArgumentException("Pipeline " + pipeline + " has no node " + key);
    }
    return vertex;
  }

  /** The vertex that stands for the run's input. */
  public Vertex input() {
    return vertex(GraphNode.INPUT_KEY);
  }

  /** The vertices that run for each element of an expand, and of the expands inside. */
  public List<Vertex> below(Vertex expand) {
    return vertices.values().stream().filter(vertex -> isBelow(vertex, expand)).toList();
  }

  private static boolean isBelow(Vertex vertex, Vertex expand) {
    Vertex scope = vertex.scope();
    return scope != null && (scope == expand || isBelow(scope, expand));
  }

  /** How many arrivals end the run; with 1 and a direct link it needs no counting. */
  public int endNeed() {
    return endNeed;
  }

  private int link() {
    for (int ordinal = 0; ordinal < nodes.size(); ordinal++) {
      Vertex vertex = new Vertex(nodes.get(ordinal), ordinal);
      vertex.strategy(strategy(nodes.get(ordinal)));
      vertices.put(vertex.key(), vertex);
    }
    for (GraphNode node : nodes) {
      node.inputs().forEach(input -> vertex(node.key()).addInput(vertex(input)));
    }
    topological().forEach(Graph::findScope);
    nodes.forEach(this::linkInto);
    if (isLenient() || nodes.stream().anyMatch(node -> node.kind() == NodeKind.DIVERT)) {
      findUncertain();
    }
    return linkEnd();
  }

  /** A divert that has failed has taken no arm, so what depends on it cannot go on without it. */
  private Strategy strategy(GraphNode node) {
    Strategy said = strategies.of(node.key());
    return node.kind() == NodeKind.DIVERT && said == Strategy.IGNORE ? Strategy.CONTINUE : said;
  }

  /**
   * A node that can follow elements runs once for each if its only input is or has an expand; so
   * does an expand. A collapse brings elements together, and runs once per element outside. A
   * converge runs where its divert does.
   */
  private static void findScope(Vertex vertex) {
    if (vertex.kind() == NodeKind.CONVERGE) {
      vertex.scope(vertex.inputs().get(0).scope());
    } else if (vertex.inputs().size() == 1) {
      Vertex elements = vertex.inputs().get(0).spread();
      if (vertex.kind().followsElements()) {
        vertex.scope(elements);
      } else if (vertex.kind() == NodeKind.COLLAPSE && elements != null) {
        vertex.scope(elements.scope());
      }
    }
  }

  private void linkInto(GraphNode node) {
    Vertex vertex = vertex(node.key());
    Set<Vertex> dependencies = dependencies(node, vertex);
    vertex.need(dependencies.size());
    Link.Kind kind =
        vertex.need() == 1 && !spreads(dependencies, vertex) ? Link.Kind.DIRECT : Link.Kind.ARRIVE;
    Arm gate = vertex.gate();
    for (Vertex dependency : dependencies) {
      String arm = gate != null && dependency.key().equals(gate.divert()) ? gate.name() : null;
      dependency.addLink(new Link(vertex, kind, arm));
      if (dependency != vertex.scope()) {
        spread(dependency, vertex);
      }
      vertex.await(dependency);
    }
  }

  private Set<Vertex> dependencies(GraphNode node, Vertex vertex) {
    Set<Vertex> all = new LinkedHashSet<>(vertex.inputs());
    node.after().forEach(key -> all.add(vertex(key)));
    Set<String> given = given(node, vertex);
    vertex.steady(node.inputs().stream().anyMatch(given::contains));
    Arm gate = arms.gate(node);
    vertex.gate(gate);
    if (gate != null) {
      all.add(vertex(gate.divert()));
    }
    if (all.size() > 1) {
      Set<String> settled = arms.settled(node);
      settled.addAll(given);
      all.removeIf(dependency -> settled.contains(dependency.key()));
    }
    return all;
  }

  /** Where an element's turn comes, the element is there. */
  private Set<String> given(GraphNode node, Vertex vertex) {
    Set<String> given = arms.given(node);
    Vertex expand = vertex.scope();
    if (expand != null) {
      given.add(expand.key());
    }
    return given;
  }

  /**
   * What starts directly is sure to run when it starts. What counts arrivals may find that all of
   * them were skipped, if there is a divert before it in its own scope: one outside decides on all
   * elements together, and one inside on none of what the elements come to. Or it may find that one
   * is lost, if a failure need not halt the run.
   */
  private void findUncertain() {
    Map<Vertex, Set<String>> diverted = new HashMap<>();
    for (Vertex vertex : topological()) {
      Set<Vertex> before = new HashSet<>(vertex.awaited());
      before.addAll(vertex.inputs());
      Set<String> scopes = new HashSet<>();
      for (Vertex v : before) {
        scopes.addAll(diverted.getOrDefault(v, Set.of()));
        if (v.kind() == NodeKind.DIVERT) {
          scopes.add(scope(v));
        }
      }
      diverted.put(vertex, scopes);
      if (scopes.contains(scope(vertex)) || mayLose(before)) {
        vertex.mayLack();
        vertex.uncertain(vertex.awaited().size() > 1 || spreads(vertex.awaited(), vertex));
      }
    }
  }

  private static String scope(Vertex vertex) {
    Vertex expand = vertex.scope();
    return expand == null ? "" : expand.key();
  }

  private boolean mayLose(Set<Vertex> before) {
    return isLenient() && before.stream().anyMatch(v -> v.kind() != NodeKind.INPUT);
  }

  private static boolean spreads(Collection<Vertex> dependencies, Vertex vertex) {
    return dependencies.stream().anyMatch(d -> d != vertex.scope() && d.scope() != vertex.scope());
  }

  private int linkEnd() {
    List<Vertex> sinks =
        nodes.stream().map(node -> vertex(node.key())).filter(v -> v.links().isEmpty()).toList();
    boolean direct = sinks.size() == 1 && sinks.get(0).scope() == null && !isLenient();
    for (Vertex sink : sinks) {
      sink.addLink(new Link(null, direct ? Link.Kind.DIRECT : Link.Kind.ARRIVE));
      spread(sink, null);
    }
    return sinks.size();
  }

  /** Each expand that is collapsed on the way raises what the target expects. */
  private static void spread(Vertex dependency, @Nullable Vertex target) {
    Vertex outside = target == null ? null : target.scope();
    Vertex expand = dependency.scope();
    while (expand != null && expand != outside) {
      expand.addLink(new Link(target, Link.Kind.SPREAD));
      expand = expand.scope();
    }
  }

  /** The nodes from the input to the output, each after everything it depends on. */
  public List<Vertex> topological() {
    Map<Vertex, Integer> missing = new HashMap<>();
    Map<Vertex, List<Vertex>> dependents = new HashMap<>();
    for (GraphNode node : nodes) {
      Vertex vertex = vertex(node.key());
      Set<Vertex> all = before(node);
      missing.put(vertex, all.size());
      all.forEach(v -> dependents.computeIfAbsent(v, k -> new ArrayList<>()).add(vertex));
    }
    List<Vertex> order = new ArrayList<>(nodes.size());
    order.add(input());
    for (int i = 0; i < order.size(); i++) {
      for (Vertex next : dependents.getOrDefault(order.get(i), List.of())) {
        if (missing.merge(next, -1, Integer::sum) == 0) {
          order.add(next);
        }
      }
    }
    return Collections.unmodifiableList(order);
  }

  /**
   * What a vertex depends on: its inputs, what it comes after, and the divert whose arm it is on.
   */
  Set<Vertex> before(Vertex vertex) {
    return before(nodes.get(vertex.ordinal()));
  }

  private Set<Vertex> before(GraphNode node) {
    Set<Vertex> before = new LinkedHashSet<>();
    node.inputs().forEach(key -> before.add(vertex(key)));
    node.after().forEach(key -> before.add(vertex(key)));
    Arm arm = node.arm();
    if (arm != null) {
      before.add(vertex(arm.divert()));
    }
    return before;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Graph that && that.hash.equals(hash);
  }

  @Override
  public int hashCode() {
    return hash.hashCode();
  }

  @Override
  public String toString() {
    return pipeline + "@" + hash.substring(0, 12);
  }
}
