package dev.standpipe.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The graphs of the hidden pipelines. They follow from the graph of the pipeline they belong to, so
 * that the process that ends a run knows them, whether it serves the pipeline or not.
 */
public final class EndCallbackGraphs {
  private static final String EACH = "$each";
  private static final String ALL = "$all";

  private EndCallbackGraphs() {}

  /** The graph of what follows the end of a run of this graph. */
  public static Graph of(Graph original, EndCallback endCallback) {
    String name = endCallback.of(original.pipeline());
    return switch (endCallback) {
      case ON_SUCCESS, ON_FAILURE, ON_HALT, ON_COMPLETE, PUBLISH ->
          callback(name, endCallback.word());
      case COMPENSATE -> compensation(name, original);
    };
  }

  /** The step that an expand of a compensation is about. */
  public static String undone(String expand) {
    return expand.substring(0, expand.length() - EACH.length());
  }

  private static Graph callback(String name, String key) {
    List<GraphNode> nodes = List.of(input(), node(key, NodeKind.STEP, GraphNode.INPUT_KEY));
    return Graph.of(name, nodes, key);
  }

  /** One step after the other, the last first; the elements of one step side by side. */
  private static Graph compensation(String name, Graph original) {
    List<Vertex> order = new ArrayList<>(original.topological());
    Collections.reverse(order);
    List<GraphNode> nodes = new ArrayList<>(List.of(input()));
    String last = GraphNode.INPUT_KEY;
    for (Vertex vertex : order) {
      String key = vertex.key();
      if (!original.endCallbacks().compensated().contains(key)) {
        continue;
      }
      if (vertex.scope() == null) {
        nodes.add(node(key, NodeKind.STEP, last));
        last = key;
      } else {
        nodes.add(node(key + EACH, NodeKind.EXPAND, last));
        nodes.add(node(key, NodeKind.STEP, key + EACH));
        nodes.add(node(key + ALL, NodeKind.COLLAPSE, key));
        last = key + ALL;
      }
    }
    return Graph.of(name, nodes, last);
  }

  private static GraphNode input() {
    return new GraphNode(GraphNode.INPUT_KEY, NodeKind.INPUT, List.of(), List.of());
  }

  private static GraphNode node(String key, NodeKind kind, String input) {
    return new GraphNode(key, kind, List.of(input), List.of());
  }
}
