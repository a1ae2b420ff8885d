package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Link;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a run that was stopped goes on, worked out from its finished steps alone, by letting each
 * of them finish once more. Pure.
 *
 * @param starts the steps that may start and have not finished
 * @param waiting how many arrivals each target that has had any, or was raised, still waits for
 * @param skips the steps that are skipped because of what has finished, and are not yet
 */
public record Resumption(List<GraphStep> starts, List<OpenTarget> waiting, List<Skip> skips) {
  /**
   * One step.
   *
   * @param vertex its vertex
   * @param index its index
   */
  public record GraphStep(Vertex vertex, int index) {}

  /**
   * A step that has finished.
   *
   * @param step the step
   * @param ending how it ended
   */
  public record EndedStep(GraphStep step, Ending ending) {}

  /**
   * What a target still waits for.
   *
   * @param target what waits, or {@code null} for the end of the run
   * @param index the target's index
   * @param need how many arrivals it waits for before any has come
   * @param remaining how many it still waits for
   */
  public record OpenTarget(@Nullable Vertex target, int index, int need, int remaining) {
    private OpenTarget over() {
      return new OpenTarget(target, index, need, 0);
    }
  }

  private record Target(@Nullable Vertex vertex, int index) {}

  /**
   * An expand that has yielded elements, and has not ended.
   *
   * @param expand its vertex
   * @param elements how many elements it has yielded
   */
  public record Open(Vertex expand, int elements) {}

  /** Works it out; the order of the finished steps is irrelevant. */
  public static Resumption of(
      Graph graph, Collection<EndedStep> finished, Collection<Open> unfinished) {
    Set<GraphStep> started = new LinkedHashSet<>();
    Map<Target, OpenTarget> waiting = new LinkedHashMap<>();
    add(started, Coordinator.begin(graph));
    Set<GraphStep> ended = new HashSet<>();
    finished.forEach(one -> ended.add(one.step()));
    Deque<EndedStep> open = new ArrayDeque<>(finished);
    List<Skip> skips = new ArrayList<>();
    while (!open.isEmpty()) {
      EndedStep one = open.remove();
      GraphStep step = one.step();
      Advance advance = Coordinator.endedAlone(graph, step.vertex(), step.index(), one.ending());
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
      for (Skip skip : advance.skips()) {
        GraphStep skipped = new GraphStep(skip.vertex(), skip.index());
        if (ended.add(skipped)) {
          skips.add(skip);
          open.add(new EndedStep(skipped, Ending.SKIPPED));
        }
      }
    }
    for (Open one : unfinished) {
      Advance advance =
          Coordinator.yielded(graph, one.expand(), 0, Ending.expanded(one.elements()));
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
    }
    if (graph.isLenient()) {
      steps(graph, finished, unfinished).stream()
          .filter(step -> !ended.contains(step))
          .forEach(step -> await(graph, step, ended, waiting));
      waiting.replaceAll((target, before) -> isDone(target, ended) ? before.over() : before);
    }
    for (OpenTarget target : waiting.values()) {
      if (target.remaining() == 0) {
        add(started, Coordinator.opened(target.target(), target.index()).starts());
      }
    }
    started.removeAll(ended);
    return new Resumption(List.copyOf(started), new ArrayList<>(waiting.values()), skips);
  }

  /** All steps there are, as far as the numbers of elements are known. */
  private static List<GraphStep> steps(
      Graph graph, Collection<EndedStep> finished, Collection<Open> unfinished) {
    List<GraphStep> steps = new ArrayList<>();
    add(steps, graph, null, 0, 1);
    for (EndedStep one : finished) {
      Vertex vertex = one.step().vertex();
      if (vertex.kind() == NodeKind.EXPAND && one.ending().ran()) {
        int first = vertex.firstElement(one.step().index());
        add(steps, graph, vertex, first, one.ending().elements());
      }
    }
    unfinished.forEach(one -> add(steps, graph, one.expand(), 0, one.elements()));
    return steps;
  }

  private static void add(
      List<GraphStep> steps, Graph graph, @Nullable Vertex scope, int first, int count) {
    for (Vertex vertex : graph.topological()) {
      if (vertex.scope() == scope && vertex.kind() != NodeKind.INPUT) {
        IntStream.range(first, first + count).forEach(i -> steps.add(new GraphStep(vertex, i)));
      }
    }
  }

  /**
   * What depends on a step that has failed, and is run again, may have finished all the same: it
   * went on without, or is on an arm that was not taken. It does not wait for the step; the end of
   * the run does.
   */
  private static void await(
      Graph graph, GraphStep step, Set<GraphStep> ended, Map<Target, OpenTarget> waiting) {
    for (Link link : step.vertex().links()) {
      if (Coordinator.leadsTo(
          step.vertex(),
          link,
          step.index(),
          (vertex, index) -> ended.contains(new GraphStep(vertex, index)))) {
        count(waiting, new Arrival(null, 0, graph.endNeed(), 1));
      }
    }
  }

  private static boolean isDone(Target target, Set<GraphStep> ended) {
    Vertex vertex = target.vertex();
    return vertex != null && ended.contains(new GraphStep(vertex, target.index()));
  }

  private static void count(Map<Target, OpenTarget> waiting, Arrival arrival) {
    Target target = new Target(arrival.target(), arrival.index());
    OpenTarget before = waiting.get(target);
    int remaining = before == null ? arrival.need() : before.remaining();
    waiting.put(
        target,
        new OpenTarget(
            arrival.target(), arrival.index(), arrival.need(), remaining + arrival.delta()));
  }

  private static void add(Set<GraphStep> started, List<Start> starts) {
    for (Start start : starts) {
      for (int i = 0; i < start.count(); i++) {
        started.add(new GraphStep(start.vertex(), start.first() + i));
      }
    }
  }
}
