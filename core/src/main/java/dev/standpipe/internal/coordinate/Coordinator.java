package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Link;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tells what follows from an outcome. Pure: the same question always has the same answer. */
public final class Coordinator {
  private Coordinator() {}

  /** The steps a new run starts with. */
  public static List<Start> begin(Graph graph) {
    return succeeded(graph, graph.input(), 0, 0).starts();
  }

  /**
   * What follows when a step succeeds.
   *
   * @param elements for an expand, how many elements it yielded; otherwise ignored
   */
  public static Advance succeeded(Graph graph, Vertex vertex, int index, int elements) {
    if (vertex.isChained()) {
      return new Advance(
          List.of(new Start(targetOf(vertex.links().get(0)), index, 1)), List.of(), false);
    }
    List<Start> starts = new ArrayList<>();
    List<Arrival> arrivals = new ArrayList<>();
    boolean finishes = false;
    for (Link link : vertex.links()) {
      Vertex target = link.target();
      switch (link.kind()) {
        case DIRECT -> {
          if (target == null) {
            finishes = true;
          } else if (vertex.kind() != NodeKind.EXPAND) {
            starts.add(new Start(target, index, 1));
          } else if (target.scope() != vertex) {
            starts.add(new Start(target, 0, 1));
          } else if (elements > 0) {
            starts.add(new Start(target, 0, elements));
          }
        }
        case ARRIVE -> arrivals.add(new Arrival(target, need(graph, target), -1));
        case SPREAD -> arrivals.add(new Arrival(target, need(graph, target), elements - 1));
      }
    }
    return new Advance(starts, arrivals, finishes);
  }

  /** What follows when the last arrival of a target has come. */
  public static Advance opened(@Nullable Vertex target) {
    return target == null
        ? new Advance(List.of(), List.of(), true)
        : new Advance(List.of(new Start(target, 0, 1)), List.of(), false);
  }

  private static int need(Graph graph, @Nullable Vertex target) {
    return target == null ? graph.endNeed() : target.need();
  }

  private static Vertex targetOf(Link link) {
    Vertex target = link.target();
    if (target == null) {
      throw new IllegalArgumentException("The end of the run is not a vertex");
    }
    return target;
  }
}
