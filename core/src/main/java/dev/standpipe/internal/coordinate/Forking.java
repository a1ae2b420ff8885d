package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.Link;
import dev.standpipe.definition.Vertex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A fork: a new run that goes on from one vertex of another run. Pure.
 *
 * @param graph the graph of both
 * @param at the vertex
 */
public record Forking(Graph graph, Vertex at) {
  /** The keys of the vertex and of all vertices that depend on it: they run again. */
  public Set<String> redone() {
    return reach(
        vertex -> {
          List<Vertex> next = new ArrayList<>();
          for (Link link : vertex.links()) {
            Vertex target = link.target();
            if (target != null) {
              next.add(target);
            }
          }
          return next;
        });
  }

  /**
   * The keys of what comes before the vertex and is not finished. If one of several things before
   * it is not, then something there can start.
   *
   * @param resumption where a run goes on that has finished what is taken over
   */
  public Set<String> missing(Resumption resumption) {
    Set<String> before = reach(this::dependencies);
    before.remove(at.key());
    Set<String> missing = new TreeSet<>();
    resumption.starts().stream()
        .map(step -> step.vertex().key())
        .filter(before::contains)
        .forEach(missing::add);
    return missing;
  }

  /**
   * Whether the vertex is on a way that is not taken.
   *
   * @param resumption where a run goes on that has finished what is taken over
   */
  public boolean isSkipped(Resumption resumption) {
    return resumption.starts().stream().noneMatch(step -> step.vertex().equals(at))
        && resumption.skips().stream().anyMatch(skip -> skip.vertex().equals(at));
  }

  private List<Vertex> dependencies(Vertex vertex) {
    GraphNode node = graph.nodes().get(vertex.ordinal());
    List<Vertex> dependencies = new ArrayList<>(vertex.inputs());
    node.after().forEach(key -> dependencies.add(graph.vertex(key)));
    @Nullable Arm arm = node.arm();
    if (arm != null) {
      dependencies.add(graph.vertex(arm.divert()));
    }
    return dependencies;
  }

  private Set<String> reach(Function<Vertex, Collection<Vertex>> onwards) {
    Set<String> seen = new LinkedHashSet<>(Set.of(at.key()));
    Deque<Vertex> open = new ArrayDeque<>(List.of(at));
    while (!open.isEmpty()) {
      for (Vertex next : onwards.apply(open.remove())) {
        if (seen.add(next.key())) {
          open.add(next);
        }
      }
    }
    return seen;
  }
}
