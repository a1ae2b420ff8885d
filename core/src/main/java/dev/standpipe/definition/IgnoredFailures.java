package dev.standpipe.definition;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What goes on in a pipeline that halts, after a step has failed whose failure is to be ignored:
 * all that follows from that step. Below an expand, the step itself and those before it go on as
 * well, for the other elements; else what brings the elements together could never run.
 */
public final class IgnoredFailures {
  private final Map<String, Set<Vertex>> sheltered = new HashMap<>();

  IgnoredFailures(Graph graph) {
    if (graph.strategies().pipeline() == Strategy.HALT && graph.isLenient()) {
      List<Vertex> order = graph.topological();
      for (Vertex vertex : order) {
        if (vertex.strategy() == Strategy.IGNORE) {
          sheltered.put(vertex.key(), shelter(graph, vertex, order));
        }
      }
    }
  }

  /** Whether there are any. */
  public boolean isEmpty() {
    return sheltered.isEmpty();
  }

  /** Whether a step of this node may still begin when steps of those have failed. */
  public boolean allow(Vertex vertex, Collection<String> failed) {
    return failed.isEmpty()
        || failed.stream().anyMatch(key -> sheltered.getOrDefault(key, Set.of()).contains(vertex));
  }

  private static Set<Vertex> shelter(Graph graph, Vertex ignored, List<Vertex> order) {
    Set<Vertex> following = new HashSet<>(Set.of(ignored));
    for (Vertex vertex : order) {
      if (graph.before(vertex).stream().anyMatch(following::contains)) {
        following.add(vertex);
      }
    }
    following.remove(ignored);
    Vertex beside = ignored;
    while (beside.scope() != null) {
      following.add(beside);
      beside = beside.inputs().get(0);
    }
    return following;
  }
}
