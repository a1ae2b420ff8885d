package dev.standpipe;

import dev.standpipe.definition.GraphNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws a graph as a Mermaid flowchart. */
final class Mermaid {
  private Mermaid() {}

  static String draw(List<GraphNode> nodes, String output) {
    Map<String, Integer> ids = new HashMap<>();
    nodes.forEach(node -> ids.put(node.key(), ids.size()));
    StringBuilder text = new StringBuilder("flowchart TD\n");
    for (GraphNode node : nodes) {
      text.append("  n").append(ids.get(node.key())).append(shape(node)).append('\n');
    }
    for (GraphNode node : nodes) {
      node.inputs().forEach(input -> edge(text, ids.get(input), " --> n" + ids.get(node.key())));
      node.after().forEach(before -> edge(text, ids.get(before), " -.-> n" + ids.get(node.key())));
    }
    edge(text, ids.get(output), " --> result([result])");
    return text.toString();
  }

  private static String shape(GraphNode node) {
    return switch (node.kind()) {
      case INPUT -> "([input])";
      case STEP -> "[\"" + node.key() + "\"]";
      case EXPAND -> "[/\"" + node.key() + "\"\\]";
      case COLLAPSE -> "[\\\"" + node.key() + "\"/]";
    };
  }

  private static void edge(StringBuilder text, @Nullable Integer from, String to) {
    text.append("  n").append(from).append(to).append('\n');
  }
}
