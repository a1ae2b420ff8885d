package dev.standpipe.checker;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Who depends on whom, as the definition says. Immutable. */
final class Graph {
  /** The node that stands for the run's input. */
  static final String INPUT = "$input";

  private static final String HALT = "halt";
  private static final String IGNORE = "ignore";

  /**
   * A node.
   *
   * @param key its key
   * @param kind its kind, in the definition's word
   * @param inputs the nodes whose values it gets
   * @param after the nodes that must have ended before, besides
   * @param divert the divert on an arm of which it is; {@code null} if it is on none
   * @param arm the name of that arm
   * @param width of an expand inside another, how many elements it may yield; otherwise 0
   */
  record Node(
      String key,
      String kind,
      List<String> inputs,
      List<String> after,
      @Nullable String divert,
      @Nullable String arm,
      int width) {
    boolean isExpand() {
      return kind.equals("expand");
    }

    boolean isCollapse() {
      return kind.equals("collapse");
    }

    /** Whether it runs where its first input does, the divert whose arms it brings together. */
    boolean isConverge() {
      return kind.equals("converge");
    }
  }

  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Map<String, String> strategies = new HashMap<>();
  private String strategy = HALT;
  private final List<String> endCallbacks;

  private Graph(List<String> endCallbacks) {
    this.endCallbacks = endCallbacks;
  }

  /** The graph of a definition. */
  static Graph parse(String json) {
    Object root = Json.parse(json);
    Graph graph = new Graph(texts(list(root, "endCallbacks")));
    for (Object value : list(root, "nodes")) {
      Node node =
          new Node(
              text(value, "key"),
              text(value, "kind"),
              texts(list(value, "inputs")),
              texts(list(value, "after")),
              arm(value, "divert"),
              arm(value, "name"),
              number(value, "width"));
      graph.nodes.put(node.key(), node);
    }
    if (root instanceof Map<?, ?> map && map.get("strategy") instanceof String all) {
      graph.strategy = all;
      if (map.get("strategies") instanceof Map<?, ?> steps) {
        steps.forEach((key, said) -> graph.strategies.put(String.valueOf(key), text(said)));
      }
    }
    return graph;
  }

  /** Whether what depends on a node goes on though it has failed; a divert's choice is needed. */
  boolean isIgnored(String key) {
    Node node = nodes.get(key);
    return node != null
        && !node.kind().equals("divert")
        && strategies.getOrDefault(key, strategy).equals(IGNORE);
  }

  /** Whether any failure stops steps that do not depend on it, but for what one shelters. */
  boolean halts() {
    return strategy.equals(HALT);
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  /** All nodes but the input. */
  List<Node> nodes() {
    return nodes.values().stream().filter(node -> !node.key().equals(INPUT)).toList();
  }

  /** What can follow the end of a run. */
  List<String> endCallbacks() {
    return endCallbacks;
  }

  /** The node of this key; {@code null} if the graph has none. */
  @Nullable Node find(String key) {
    return nodes.get(key);
  }

  /** The expand whose elements a node runs for; {@code null} if it runs once. */
  @Nullable Node expandAbove(Node node) {
    boolean one = node.inputs().size() == 1 || node.isConverge();
    Node input = one ? nodes.get(node.inputs().get(0)) : null;
    if (input == null) {
      return null;
    }
    Node spread = input.isExpand() ? input : expandAbove(input);
    return spread != null && node.isCollapse() ? expandAbove(spread) : spread;
  }

  /** The expands around one node and not around another, the outermost first. */
  List<Node> expandsBetween(@Nullable Node outside, Node node) {
    List<Node> between = new ArrayList<>();
    Node limit = outside == null ? null : expandAbove(outside);
    for (Node at = expandAbove(node); at != null && !at.equals(limit); at = expandAbove(at)) {
      between.add(0, at);
    }
    return between;
  }

  private static List<?> list(@Nullable Object object, String key) {
    return object instanceof Map<?, ?> map && map.get(key) instanceof List<?> list
        ? list
        : List.of();
  }

  private static @Nullable String arm(@Nullable Object object, String key) {
    return object instanceof Map<?, ?> map && map.get("arm") instanceof Map<?, ?> arm
        ? text(arm, key)
        : null;
  }

  private static int number(@Nullable Object object, String key) {
    return object instanceof Map<?, ?> map && map.get(key) instanceof Number number
        ? number.intValue()
        : 0;
  }

  private static String text(@Nullable Object object, String key) {
    if (object instanceof Map<?, ?> map && map.get(key) instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("A node without " + key + ": " + object);
  }

  private static List<String> texts(List<?> values) {
    List<String> texts = new ArrayList<>();
    values.forEach(value -> texts.add(String.valueOf(value)));
    return texts;
  }
}
