package dev.standpipe.internal.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One run, its tasks and its arrival counters, kept the way the stores keep them. */
final class MemoryRun {
  private static final String END = "$end";

  private final Graph graph;
  private final Set<Step> created = new HashSet<>();
  private final List<Step> ready = new ArrayList<>();
  private final Map<String, Integer> arrivals = new HashMap<>();
  private final Set<String> opened = new HashSet<>();
  private int ends;

  MemoryRun(Graph graph) {
    this.graph = graph;
    create(Coordinator.begin(graph));
  }

  /** The steps that were created and have not been taken. */
  List<Step> ready() {
    return ready;
  }

  /** All steps that were ever created. */
  Set<Step> created() {
    return created;
  }

  /** How often the run ended. */
  int ends() {
    return ends;
  }

  /** What the counters that were touched still wait for. */
  Map<String, Integer> arrivals() {
    return arrivals;
  }

  /** Commits successes together, as one settlement batch: starts first, then counters, added up. */
  void succeed(List<Step> batch, Model model) {
    Map<String, Arrival> totals = new HashMap<>();
    for (Step step : batch) {
      Vertex vertex = graph.vertex(step.key());
      Advance advance =
          Coordinator.succeeded(graph, vertex, step.index(), model.elements(step.key()));
      create(advance.starts());
      advance.arrivals().forEach(arrival -> totals.merge(key(arrival), arrival, MemoryRun::sum));
      ends += advance.finishes() ? 1 : 0;
    }
    totals.forEach(this::arrive);
  }

  private void arrive(String key, Arrival arrival) {
    int before = arrivals.getOrDefault(key, arrival.need());
    int remaining = before + arrival.delta();
    arrivals.put(key, remaining);
    assertThat(remaining).as("arrivals %s waits for", key).isNotNegative();
    if (remaining == 0) {
      assertThat(opened.add(key)).as("%s opens once", key).isTrue();
      Advance advance = Coordinator.opened(arrival.target());
      create(advance.starts());
      ends += advance.finishes() ? 1 : 0;
    }
  }

  private void create(List<Start> starts) {
    for (Start start : starts) {
      assertThat(start.count()).as("steps of %s to start", start.vertex()).isPositive();
      for (int i = 0; i < start.count(); i++) {
        Step step = new Step(start.vertex().key(), start.first() + i);
        assertThat(created.add(step)).as("%s is created once", step).isTrue();
        ready.add(step);
      }
    }
  }

  private static String key(Arrival arrival) {
    Vertex target = arrival.target();
    return target == null ? END : target.key();
  }

  private static Arrival sum(Arrival one, Arrival other) {
    assertThat(other.need()).as("what a target waits for is always the same").isEqualTo(one.need());
    return new Arrival(one.target(), one.need(), one.delta() + other.delta());
  }
}
