package dev.standpipe.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A graph and what has become of it. Code written for the one can run steps of the other if it
 * still has every node, of the same kind, with the same arms, and with the values of the same nodes
 * as input: then each body gets what it expects.
 *
 * @param before the graph
 * @param now what it is now
 * @param renamed the keys nodes have now, by those they had
 */
public record GraphChange(Graph before, Graph now, Map<String, String> renamed) {
  /** The key a node has now. */
  public String key(String before) {
    return renamed.getOrDefault(before, before);
  }

  /** Why the new code cannot go on with runs of the old graph; empty if it can. */
  public List<String> problems() {
    List<String> problems = new ArrayList<>();
    for (GraphNode node : before.nodes()) {
      @Nullable Vertex vertex = now.find(key(node.key()));
      if (vertex == null) {
        problems.add("node \"%s\" is missing%s".formatted(node.key(), hint(node.key())));
      } else {
        compare(node, vertex, problems);
      }
    }
    if (!before.equals(now)) {
      compare(before.endCallbacks(), problems);
    }
    return problems;
  }

  /** What undoes the steps of a run follows from its graph, and is not rewired. */
  private void compare(EndCallbacks endCallbacks, List<String> problems) {
    for (EndCallback endCallback : endCallbacks.all()) {
      if (endCallback == EndCallback.COMPENSATE) {
        problems.add("its steps can be undone, which only the code of the very same graph does");
      } else if (!now.endCallbacks().has(endCallback)) {
        problems.add("its callback %s is missing".formatted(endCallback.word()));
      }
    }
  }

  private void compare(GraphNode node, Vertex vertex, List<String> problems) {
    if (vertex.kind() != node.kind()) {
      problems.add(
          "node \"%s\" was %s and is %s"
              .formatted(node.key(), word(node.kind()), word(vertex.kind())));
      return;
    }
    List<String> inputs = vertex.inputs().stream().map(Vertex::key).toList();
    if (!inputs.equals(node.inputs().stream().map(this::key).toList())) {
      problems.add(
          "node \"%s\" had the values of %s as input and has those of %s"
              .formatted(node.key(), node.inputs(), inputs));
    }
    if (!vertex.arms().equals(node.arms())) {
      problems.add(
          "node \"%s\" had the arms %s and has %s"
              .formatted(node.key(), node.arms(), vertex.arms()));
    }
    int width = now.nodes().get(vertex.ordinal()).width();
    if (width != node.width()) {
      problems.add(
          "node \"%s\" had room for %d elements each and has for %d"
              .formatted(node.key(), node.width(), width));
    }
  }

  private String hint(String key) {
    return renamed.containsKey(key) ? "" : ", unless it was renamed";
  }

  private static String word(NodeKind kind) {
    String name = kind.name().toLowerCase(Locale.ROOT);
    return ("aeiou".indexOf(name.charAt(0)) < 0 ? "a " : "an ") + name;
  }
}
