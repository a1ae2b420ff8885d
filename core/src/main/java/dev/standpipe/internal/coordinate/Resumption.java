package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Link;
import dev.standpipe.definition.Vertex;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Where a run that was stopped goes on, worked out from its finished steps alone, by letting each
 * of them finish once more. Pure.
 *
 * @param starts the steps that may start and have not finished
 * @param waiting how many arrivals each target that has had any, or was raised, still waits for
 */
public record Resumption(List<Step> starts, List<Waiting> waiting) {
  /**
   * One step.
   *
   * @param vertex its vertex
   * @param index its index
   */
  public record Step(Vertex vertex, int index) {}

  /**
   * A step that has finished.
   *
   * @param step the step
   * @param ending how it ended
   */
  public record Finished(Step step, Ending ending) {}

  /**
   * What a target still waits for.
   *
   * @param target what waits, or {@code null} for the end of the run
   * @param index the target's index
   * @param need how many arrivals it waits for before any has come
   * @param remaining how many it still waits for
   */
  public record Waiting(@Nullable Vertex target, int index, int need, int remaining) {
    private Waiting over() {
      return new Waiting(target, index, need, 0);
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

  /**
   * What is not finished, and yet more than not begun.
   *
   * @param open expands that have yielded some of their elements
   * @param again steps that have failed or were lost, and are run again. What depends on them may
   *     have finished all the same, because it ignored them or is on an arm that was not taken: it
   *     does not wait for them, but the end of the run does
   */
  public record Unfinished(Collection<Open> open, Collection<Step> again) {}

  /**
   * Works it out; the order of the steps is irrelevant.
   *
   * @param finished those that have finished and are left as they are
   * @param unfinished those that have begun
   */
  public static Resumption of(Graph graph, Collection<Finished> finished, Unfinished unfinished) {
    Set<Step> done = new HashSet<>();
    finished.forEach(one -> done.add(one.step()));
    Set<Step> started = new LinkedHashSet<>();
    Map<Target, Waiting> waiting = new LinkedHashMap<>();
    add(started, Coordinator.begin(graph));
    for (Finished one : finished) {
      Step step = one.step();
      Advance advance = Coordinator.endedAlone(graph, step.vertex(), step.index(), one.ending());
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
    }
    for (Open one : unfinished.open()) {
      Advance advance =
          Coordinator.yielded(graph, one.expand(), 0, Ending.expanded(one.elements()));
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
    }
    unfinished.again().forEach(step -> await(graph, step, done, waiting));
    waiting.replaceAll((target, before) -> isDone(target, done) ? before.over() : before);
    for (Waiting target : waiting.values()) {
      if (target.remaining() == 0) {
        add(started, Coordinator.opened(target.target(), target.index()).starts());
      }
    }
    finished.forEach(one -> started.remove(one.step()));
    return new Resumption(List.copyOf(started), new ArrayList<>(waiting.values()));
  }

  private static void await(Graph graph, Step step, Set<Step> done, Map<Target, Waiting> waiting) {
    for (Link link : step.vertex().links()) {
      if (step.index() != Skip.WHOLE // whose links are those of the expand
          && Coordinator.leadsTo(
              step.vertex(),
              link,
              step.index(),
              (vertex, index) -> done.contains(new Step(vertex, index)))) {
        count(waiting, new Arrival(null, 0, graph.endNeed(), 1));
      }
    }
  }

  private static boolean isDone(Target target, Set<Step> done) {
    Vertex vertex = target.vertex();
    return vertex != null && done.contains(new Step(vertex, target.index()));
  }

  private static void count(Map<Target, Waiting> waiting, Arrival arrival) {
    Target target = new Target(arrival.target(), arrival.index());
    Waiting before = waiting.get(target);
    int remaining = before == null ? arrival.need() : before.remaining();
    waiting.put(
        target,
        new Waiting(
            arrival.target(), arrival.index(), arrival.need(), remaining + arrival.delta()));
  }

  private static void add(Set<Step> started, List<Start> starts) {
    for (Start start : starts) {
      for (int i = 0; i < start.count(); i++) {
        started.add(new Step(start.vertex(), start.first() + i));
      }
    }
  }
}
