package dev.standpipe.internal;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws a graph as a Mermaid flowchart. */
public final class Mermaid {
  private Mermaid() {}

  /** The flowchart of these nodes, in this order. */
  public static String draw(List<GraphNode> nodes, Graph graph) {
    Map<String, Integer> ids = new HashMap<>();
    nodes.forEach(node -> ids.put(node.key(), ids.size()));
    Map<String, GraphNode> byKey = new HashMap<>();
    nodes.forEach(node -> byKey.put(node.key(), node));
    StringBuilder text = new StringBuilder("flowchart TD\n");
    for (GraphNode node : nodes) {
      text.append("  n").append(ids.get(node.key())).append(shape(node, graph)).append('\n');
    }
    for (GraphNode node : nodes) {
      inputs(text, node, byKey, ids);
      node.after().forEach(before -> edge(text, ids.get(before), " -.-> n" + ids.get(node.key())));
    }
    edge(text, ids.get(graph.output()), " --> result([result])");
    for (EndCallback endCallback : graph.endCallbacks().all()) {
      if (endCallback != EndCallback.COMPENSATE) {
        text.append("  result -.-> ")
            .append(endCallback.word())
            .append("[[")
            .append(endCallback.word());
        text.append("]]\n");
      }
    }
    for (String key : graph.endCallbacks().compensated()) {
      edge(text, ids.get(key), " -. compensate .-> u" + ids.get(key) + "([\"undo " + key + "\"])");
    }
    return text.toString();
  }

  /**
   * An edge from a diverted value to a node on an arm is drawn from the divert, and names the arm.
   */
  private static void inputs(
      StringBuilder text, GraphNode node, Map<String, GraphNode> nodes, Map<String, Integer> ids) {
    if (node.kind() == NodeKind.BARRIER && !node.after().isEmpty()) {
      return; // it has an input to be like other nodes, and makes nothing of it
    }
    String to = "n" + ids.get(node.key());
    Arm arm = node.arm();
    for (int i = 0; i < node.inputs().size(); i++) {
      String input = node.inputs().get(i);
      boolean empty =
          node.kind() == NodeKind.CONVERGE
              && i > 0
              && isDiverted(nodes, node.inputs().get(0), input);
      if (empty) {
        edge(text, ids.get(node.inputs().get(0)), " -->|" + node.arms().get(i - 1) + "| " + to);
      } else if (arm != null && isDiverted(nodes, arm.divert(), input)) {
        edge(text, ids.get(arm.divert()), " -->|" + arm.name() + "| " + to);
      } else if (node.kind() != NodeKind.CONVERGE || i > 0) {
        edge(text, ids.get(input), " --> " + to);
      }
    }
  }

  private static boolean isDiverted(Map<String, GraphNode> nodes, String divert, String node) {
    GraphNode at = nodes.get(divert);
    return at != null && at.inputs().contains(node);
  }

  private static String shape(GraphNode node, Graph graph) {
    String label = '"' + label(node, graph) + '"';
    return switch (node.kind()) {
      case INPUT -> "([input])";
      case STEP -> "[" + label + "]";
      case EXPAND -> "[/" + label + "\\]";
      case DIVERT -> "{" + label + "}";
      case CONVERGE -> "{{" + label + "}}";
      case DELAY -> ">" + label + "]";
      case BARRIER -> "[/" + label + "/]";
      case CALL -> "[[" + label + "]]";
      case LOOP -> "(" + label + ")";
      case AWAIT -> "((" + label + "))";
      case COLLAPSE -> "[\\" + label + "/]";
    };
  }

  /** The key, and the strategy of the step if it differs from the pipeline's. */
  private static String label(GraphNode node, Graph graph) {
    Strategy said = graph.strategies().steps().get(node.key());
    return said == null
        ? node.key()
        : node.key() + " (" + said.name().toLowerCase(Locale.ROOT) + ")";
  }

  private static void edge(StringBuilder text, @Nullable Integer from, String to) {
    text.append("  n").append(from).append(to).append('\n');
  }
}
