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
   * @param need how many arrivals it waits for before any has come
   * @param remaining how many it still waits for
   */
  public record Waiting(@Nullable Vertex target, int need, int remaining) {
    private Waiting over() {
      return new Waiting(target, need, 0);
    }
  }

  /**
   * Works it out; the order of the steps is irrelevant.
   *
   * @param finished those that have finished and are left as they are
   * @param again those that have failed or were lost, and are run again. What depends on them may
   *     have finished all the same, because it ignored them or is on an arm that was not taken: it
   *     does not wait for them, but the end of the run does
   */
  public static Resumption of(Graph graph, Collection<Finished> finished, Collection<Step> again) {
    Set<Step> done = new HashSet<>();
    finished.forEach(one -> done.add(one.step()));
    Set<Step> started = new LinkedHashSet<>();
    Map<@Nullable Vertex, Waiting> waiting = new LinkedHashMap<>();
    add(started, Coordinator.begin(graph));
    for (Finished one : finished) {
      Step step = one.step();
      Advance advance = Coordinator.endedAlone(graph, step.vertex(), step.index(), one.ending());
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
    }
    again.forEach(step -> await(graph, step, done, waiting));
    waiting.replaceAll((target, before) -> isDone(target, done) ? before.over() : before);
    for (Waiting target : waiting.values()) {
      if (target.remaining() == 0) {
        add(started, Coordinator.opened(target.target()).starts());
      }
    }
    finished.forEach(one -> started.remove(one.step()));
    return new Resumption(List.copyOf(started), new ArrayList<>(waiting.values()));
  }

  private static void await(
      Graph graph, Step step, Set<Step> done, Map<@Nullable Vertex, Waiting> waiting) {
    for (Link link : step.vertex().links()) {
      if (step.index() != Skip.WHOLE // whose links are those of the expand
          && Coordinator.leadsTo(
              link, step.index(), (vertex, index) -> done.contains(new Step(vertex, index)))) {
        count(waiting, new Arrival(null, graph.endNeed(), 1));
      }
    }
  }

  private static boolean isDone(@Nullable Vertex target, Set<Step> done) {
    return target != null && done.contains(new Step(target, 0));
  }

  private static void count(Map<@Nullable Vertex, Waiting> waiting, Arrival arrival) {
    Waiting before = waiting.get(arrival.target());
    int remaining = before == null ? arrival.need() : before.remaining();
    waiting.put(
        arrival.target(),
        new Waiting(arrival.target(), arrival.need(), remaining + arrival.delta()));
  }

  private static void add(Set<Step> started, List<Start> starts) {
    for (Start start : starts) {
      for (int i = 0; i < start.count(); i++) {
        started.add(new Step(start.vertex(), start.first() + i));
      }
    }
  }
}
