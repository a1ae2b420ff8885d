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
    return ended(graph, graph.input(), 0, Ending.SUCCEEDED).starts();
  }

  /**
   * What follows when a step has ended, with all that follows from the steps that are skipped with
   * it: the whole of it is known at once, for what depends on one thing shares its fate.
   */
  public static Advance ended(Graph graph, Vertex vertex, int index, Ending ending) {
    return ended(graph, vertex, index, ending, Done.NOTHING);
  }

  /**
   * The same in a run that was brought back. What has its outcome already does not wait for the
   * step any more; the end of the run does instead.
   */
  public static Advance ended(Graph graph, Vertex vertex, int index, Ending ending, Done done) {
    if (vertex.isChained() && ending.ran() && done == Done.NOTHING) {
      return new Advance(
          List.of(new Start(targetOf(vertex.links().get(0)), index, 1)),
          List.of(),
          List.of(),
          false);
    }
    Gathering all = new Gathering(graph, done);
    all.add(vertex, index, ending);
    for (int i = 0; i < all.skips.size(); i++) {
      Skip skip = all.skips.get(i);
      all.add(skip.vertex(), skip.index(), Ending.of(skip));
    }
    return all.advance();
  }

  /** What follows from one step alone; those that are skipped with it are named, no more. */
  static Advance endedAlone(Graph graph, Vertex vertex, int index, Ending ending) {
    Gathering one = new Gathering(graph, Done.NOTHING);
    one.add(vertex, index, ending);
    return one.advance();
  }

  /** What follows when the last arrival of a target has come. */
  public static Advance opened(@Nullable Vertex target) {
    return target == null
        ? new Advance(List.of(), List.of(), List.of(), true)
        : new Advance(List.of(new Start(target, 0, 1)), List.of(), List.of(), false);
  }

  /** Whether a link leads to a step that has its outcome. */
  static boolean leadsTo(Link link, int index, Done done) {
    Vertex target = link.target();
    return target != null && done.contains(target, target.scope() == null ? 0 : index);
  }

  private static Vertex targetOf(Link link) {
    Vertex target = link.target();
    if (target == null) {
      throw new IllegalArgumentException("The end of the run is not a vertex");
    }
    return target;
  }

  /** Follows links, and adds up where they lead. */
  private static final class Gathering {
    private final Graph graph;
    private final Done done;
    private final List<Start> starts = new ArrayList<>();
    private final List<Skip> skips = new ArrayList<>();
    private final List<Arrival> arrivals = new ArrayList<>();
    private boolean finishes;

    Gathering(Graph graph, Done done) {
      this.graph = graph;
      this.done = done;
    }

    Advance advance() {
      return new Advance(starts, skips, arrivals, finishes);
    }

    void add(Vertex vertex, int index, Ending ending) {
      for (Link link : vertex.links()) {
        boolean late = Coordinator.leadsTo(link, index, done);
        if (link.kind() == Link.Kind.DIRECT && !late) {
          direct(vertex, index, ending, link);
        } else if (index != Skip.WHOLE) { // the expand's own arrival is that of all its elements
          int delta = link.kind() == Link.Kind.SPREAD ? ending.elements() - 1 : -1;
          Vertex target = late ? null : link.target();
          arrivals.add(new Arrival(target, need(target), delta));
        }
      }
    }

    private void direct(Vertex vertex, int index, Ending ending, Link link) {
      Vertex target = link.target();
      if (target == null) {
        finishes = true;
      } else if (vertex.kind() == NodeKind.EXPAND && target.scope() == vertex) {
        elements(target, ending);
      } else if (ending.fate() == Fate.LOST || isSkipped(target, link, ending)) {
        skips.add(new Skip(target, index, ending.fate() == Fate.LOST));
      } else {
        starts.add(new Start(target, index, 1));
      }
    }

    private void elements(Vertex target, Ending ending) {
      if (!ending.ran()) {
        skips.add(new Skip(target, Skip.WHOLE, ending.fate() == Fate.LOST));
      } else if (ending.elements() > 0) {
        starts.add(new Start(target, 0, ending.elements()));
      }
    }

    private static boolean isSkipped(Vertex target, Link link, Ending ending) {
      return link.arm() == null
          ? !ending.ran() && !target.isSteady()
          : !link.arm().equals(ending.arm());
    }

    private int need(@Nullable Vertex target) {
      return target == null ? graph.endNeed() : target.need();
    }
  }
}
