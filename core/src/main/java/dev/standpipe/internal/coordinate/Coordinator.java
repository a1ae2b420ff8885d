package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Link;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Works out what follows from an outcome. Pure: the same question always has the same answer. */
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

  /**
   * What follows when an expand has yielded some elements and more may come: steps for them start,
   * and what waits for all of them waits for these as well. The expand itself has yet to arrive.
   */
  public static Advance yielded(Graph graph, Vertex expand, int index, Ending some) {
    return yielded(graph, expand, index, some, Done.NOTHING);
  }

  /**
   * The same in a run that was brought back. What has brought together nothing, since the expand
   * had failed and was ignored, does not wait for the elements; the end of the run does instead.
   */
  public static Advance yielded(Graph graph, Vertex expand, int index, Ending some, Done done) {
    List<Start> starts = new ArrayList<>();
    List<Arrival> arrivals = new ArrayList<>();
    for (Link link : expand.links()) {
      boolean late = leadsTo(expand, link, index, done);
      Vertex target = late ? null : link.target();
      if (link.kind() == Link.Kind.SPREAD) {
        int at = expand.indexOf(target, index);
        arrivals.add(new Arrival(target, at, need(graph, target), some.elements()));
      } else if (target != null && target.scope() == expand) {
        starts.add(new Start(target, expand.firstElement(index) + some.first(), some.elements()));
      }
    }
    return new Advance(starts, List.of(), arrivals, false);
  }

  private static int need(Graph graph, @Nullable Vertex target) {
    return target == null ? graph.endNeed() : target.need();
  }

  /** What follows from one step alone; steps that are skipped with it are only named. */
  static Advance endedAlone(Graph graph, Vertex vertex, int index, Ending ending) {
    Gathering one = new Gathering(graph, Done.NOTHING);
    one.add(vertex, index, ending);
    return one.advance();
  }

  /** What follows when the last arrival of a target has come. */
  public static Advance opened(@Nullable Vertex target, int index) {
    return target == null
        ? new Advance(List.of(), List.of(), List.of(), true)
        : new Advance(List.of(new Start(target, index, 1)), List.of(), List.of(), false);
  }

  /** Whether a link leads to a step that has its outcome, and is not for an element it yields. */
  static boolean leadsTo(Vertex vertex, Link link, int index, Done done) {
    Vertex target = link.target();
    return target != null
        && target.scope() != vertex
        && done.contains(target, vertex.indexOf(target, index));
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
        boolean late = Coordinator.leadsTo(vertex, link, index, done);
        if (link.kind() == Link.Kind.DIRECT && !late) {
          direct(vertex, index, ending, link);
        } else if (index == Skip.WHOLE) {
          whole(vertex, link, ending);
        } else {
          int delta = link.kind() == Link.Kind.SPREAD ? ending.elements() - 1 : -1;
          Vertex target = late ? null : link.target();
          int at = vertex.indexOf(target, index);
          arrivals.add(new Arrival(target, at, need(graph, target), delta));
        }
      }
    }

    /**
     * Outside of all expands, the arrival of the expand that was skipped is that of all its
     * elements. The nodes inside of it are skipped with them, however many arrivals they would have
     * waited for.
     */
    private void whole(Vertex vertex, Link link, Ending ending) {
      Vertex target = link.target();
      if (target != null && target.scope() != null && target.scope() == vertex.scope()) {
        Skip skip = new Skip(target, Skip.WHOLE, ending.fate() == Fate.LOST);
        if (!skips.contains(skip)) {
          skips.add(skip);
        }
      }
    }

    private void direct(Vertex vertex, int index, Ending ending, Link link) {
      Vertex target = link.target();
      if (target == null) {
        finishes = true;
      } else if (vertex.kind() == NodeKind.EXPAND && target.scope() == vertex) {
        elements(vertex, index, ending, target);
      } else if (index == Skip.WHOLE
          || ending.fate() == Fate.LOST
          || isSkipped(target, link, ending)) {
        skips.add(new Skip(target, index, ending.fate() == Fate.LOST));
      } else {
        starts.add(new Start(target, index, 1));
      }
    }

    /** A node inside of an expand does not exist for an outer element that is skipped. */
    private void elements(Vertex expand, int index, Ending ending, Vertex target) {
      if (!ending.ran()) {
        if (expand.scope() == null || index == Skip.WHOLE) {
          skips.add(new Skip(target, Skip.WHOLE, ending.fate() == Fate.LOST));
        }
      } else if (ending.elements() > 0) {
        int first = expand.firstElement(index) + ending.first();
        starts.add(new Start(target, first, ending.elements()));
      }
    }

    private static boolean isSkipped(Vertex target, Link link, Ending ending) {
      return link.arm() == null
          ? !ending.ran() && !target.isSteady()
          : !link.arm().equals(ending.arm());
    }
  }
}
