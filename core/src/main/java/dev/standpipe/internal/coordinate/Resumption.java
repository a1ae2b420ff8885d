package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
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
import org.jspecify.annotations.Nullable;

/**
 * Where a run that was stopped goes on, worked out from its finished steps alone, by letting each
 * of them finish once more. Pure.
 *
 * @param starts the steps that may start and have not finished
 * @param waiting how many arrivals each target that has had any, or was raised, still waits for
 * @param skips the steps that are skipped because of what has finished, and are not yet
 */
public record Resumption(List<Step> starts, List<Waiting> waiting, List<Skip> skips) {
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
  public record Waiting(@Nullable Vertex target, int index, int need, int remaining) {}

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
      Graph graph, Collection<Finished> finished, Collection<Open> unfinished) {
    Set<Step> started = new LinkedHashSet<>();
    Map<Target, Waiting> waiting = new LinkedHashMap<>();
    add(started, Coordinator.begin(graph));
    Set<Step> ended = new HashSet<>();
    finished.forEach(one -> ended.add(one.step()));
    Deque<Finished> open = new ArrayDeque<>(finished);
    List<Skip> skips = new ArrayList<>();
    while (!open.isEmpty()) {
      Finished one = open.remove();
      Step step = one.step();
      Advance advance = Coordinator.endedAlone(graph, step.vertex(), step.index(), one.ending());
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
      for (Skip skip : advance.skips()) {
        Step skipped = new Step(skip.vertex(), skip.index());
        if (ended.add(skipped)) {
          skips.add(skip);
          open.add(new Finished(skipped, Ending.SKIPPED));
        }
      }
    }
    for (Open one : unfinished) {
      Advance advance =
          Coordinator.yielded(graph, one.expand(), 0, Ending.expanded(one.elements()));
      add(started, advance.starts());
      advance.arrivals().forEach(arrival -> count(waiting, arrival));
    }
    for (Waiting target : waiting.values()) {
      if (target.remaining() == 0) {
        add(started, Coordinator.opened(target.target(), target.index()).starts());
      }
    }
    started.removeAll(ended);
    return new Resumption(List.copyOf(started), new ArrayList<>(waiting.values()), skips);
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
