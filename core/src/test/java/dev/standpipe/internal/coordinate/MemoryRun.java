package dev.standpipe.internal.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One run, its tasks and its arrival counters, kept the way the stores keep them. */
final class MemoryRun {
  private static final String END = "$end";

  private final Graph graph;
  private final Set<Step> created = new HashSet<>();
  private final List<Step> ready = new ArrayList<>();
  private final Map<String, Integer> arrivals = new HashMap<>();
  private final Set<String> opened = new HashSet<>();
  private final Map<Vertex, Ending> endings = new HashMap<>();
  private final Map<Resumption.GraphStep, Ending> single = new HashMap<>();
  private final Set<Skip> skips = new HashSet<>();
  private final Set<Step> done = new HashSet<>();
  private final Map<Step, Integer> yielded = new HashMap<>();
  private int ends;

  MemoryRun(Graph graph) {
    this.graph = graph;
    endings.put(graph.input(), Ending.SUCCEEDED);
    create(Coordinator.begin(graph));
  }

  /** One that goes on from what has finished of it, or of another, and is not run again. */
  MemoryRun(
      Graph graph,
      List<Resumption.EndedStep> taken,
      Map<Step, Integer> yielded,
      Resumption resumption) {
    this.graph = graph;
    this.yielded.putAll(yielded);
    endings.put(graph.input(), Ending.SUCCEEDED);
    for (Resumption.EndedStep one : taken) {
      Vertex vertex = one.step().vertex();
      Step step = new Step(vertex.key(), one.step().index());
      note(vertex, one.step().index(), one.ending());
      if (graph.isLenient()) { // others need not look
        done.add(step);
      }
      if (one.ending().ran()) {
        created.add(step);
      } else {
        skips.add(new Skip(vertex, one.step().index(), false));
      }
    }
    resumption.skips().forEach(this::skip);
    for (Resumption.OpenTarget waiting : resumption.waiting()) {
      String key = key(waiting.target(), waiting.index());
      arrivals.put(key, waiting.remaining());
      if (waiting.remaining() == 0) {
        opened.add(key);
      }
    }
    ends = resumption.starts().isEmpty() ? 1 : 0;
    resumption.starts().forEach(this::begin);
  }

  private void begin(Resumption.GraphStep step) {
    Vertex vertex = step.vertex();
    Fate fate = fate(vertex, step.index());
    if (fate == Fate.RUNS) {
      create(List.of(new Start(vertex, step.index(), 1)));
      return;
    }
    Skip skip = new Skip(vertex, step.index(), fate == Fate.LOST);
    skip(skip);
    Map<String, Arrival> totals = new HashMap<>();
    end(vertex, step.index(), Ending.of(skip), totals);
    arrive(totals);
  }

  /** The steps that were created and have not been taken. */
  List<Step> ready() {
    return ready;
  }

  /** All steps that were ever created. */
  Set<Step> created() {
    return created;
  }

  /** All that was skipped. */
  Set<Skip> skips() {
    return skips;
  }

  /** How often the run ended. */
  int ends() {
    return ends;
  }

  /** What the counters that were touched still wait for. */
  Map<String, Integer> arrivals() {
    return arrivals;
  }

  /** How many elements each expand has yielded that has not ended. */
  Map<Step, Integer> yielded() {
    return yielded;
  }

  /** Commits some elements of an expand that goes on. */
  void yieldSome(Step expand, int elements) {
    int first = yielded.getOrDefault(expand, 0);
    yielded.put(expand, first + elements);
    Advance advance =
        Coordinator.yielded(
            graph,
            graph.vertex(expand.key()),
            expand.index(),
            Ending.expanded(first, elements),
            done());
    create(advance.starts());
    Map<String, Arrival> none = new HashMap<>();
    advance.arrivals().forEach(arrival -> arrive(key(arrival), arrival, none));
    assertThat(none).as("what opens while more may come").isEmpty();
  }

  /** Commits ends together, as one settlement batch: starts first, then counters, added up. */
  void end(List<Step> batch, Model model) {
    Map<String, Arrival> totals = new HashMap<>();
    for (Step step : batch) {
      Vertex vertex = graph.vertex(step.key());
      end(vertex, step.index(), lastOf(ending(step, model), step), totals);
    }
    arrive(totals);
  }

  private void arrive(Map<String, Arrival> totals) {
    Map<String, Arrival> next = totals;
    while (!next.isEmpty()) {
      Map<String, Arrival> further = new HashMap<>();
      next.forEach((key, arrival) -> arrive(key, arrival, further));
      next = further;
    }
  }

  static Ending ending(Step step, Model model) {
    String key = step.key();
    if (model.isFailing(step)) {
      return model.strategy(key) == Strategy.IGNORE ? Ending.SUCCEEDED : Ending.LOST;
    }
    return switch (model.kind(key)) {
      case EXPAND -> Ending.expanded(model.elements(step));
      case DIVERT -> Ending.diverted(model.taken(step));
      case ONCE, PER_ELEMENT, CONVERGE, BARRIER -> Ending.SUCCEEDED;
    };
  }

  private Ending lastOf(Ending ending, Step step) {
    Integer before = yielded.remove(step);
    return before == null ? ending : Ending.expanded(before, ending.elements() - before);
  }

  private Fate fate(Vertex vertex, int index) {
    return vertex.isUncertain()
        ? Fate.of(vertex, before -> endingFor(vertex, index, before))
        : Fate.RUNS;
  }

  /** An expand of nothing leaves no element that could have ended otherwise. */
  private Ending endingFor(Vertex vertex, int index, Vertex before) {
    if (vertex.scope() == null) {
      return endings.getOrDefault(before, Ending.SUCCEEDED);
    }
    Resumption.GraphStep seen = new Resumption.GraphStep(before.seenFrom(vertex), index);
    return before == vertex.scope()
        ? Ending.SUCCEEDED
        : single.getOrDefault(seen, Ending.SUCCEEDED);
  }

  /**
   * One element that is lost is enough for what waits for all of them; one that was skipped is
   * found when all are asked for.
   */
  private void note(Vertex vertex, int index, Ending ending) {
    endings.merge(
        vertex, ending, (one, other) -> one.fate().compareTo(other.fate()) > 0 ? one : other);
    single.put(new Resumption.GraphStep(vertex, index), ending);
  }

  private void end(Vertex vertex, int index, Ending ending, Map<String, Arrival> totals) {
    note(vertex, index, ending);
    Advance advance = Coordinator.ended(graph, vertex, index, ending, done());
    create(advance.starts());
    advance.skips().forEach(this::skip);
    advance.arrivals().forEach(arrival -> totals.merge(key(arrival), arrival, MemoryRun::sum));
    ends += advance.finishes() ? 1 : 0;
  }

  private void skip(Skip skip) {
    note(skip.vertex(), skip.index(), Ending.of(skip));
    assertThat(skips.add(skip)).as("%s is skipped once", skip).isTrue();
  }

  /** A process that takes up what has opened may find that it is to be skipped. */
  private void arrive(String key, Arrival arrival, Map<String, Arrival> further) {
    int before = arrivals.getOrDefault(key, arrival.need());
    int remaining = before + arrival.delta();
    arrivals.put(key, remaining);
    assertThat(remaining).as("arrivals %s waits for", key).isNotNegative();
    if (remaining == 0) {
      assertThat(opened.add(key)).as("%s opens once", key).isTrue();
      Vertex target = arrival.target();
      Fate fate = target == null ? Fate.RUNS : fate(target, arrival.index());
      if (target != null && fate != Fate.RUNS) {
        Skip skip = new Skip(target, arrival.index(), fate == Fate.LOST);
        skip(skip);
        end(target, arrival.index(), Ending.of(skip), further);
        return;
      }
      Advance advance = Coordinator.opened(target, arrival.index());
      create(advance.starts());
      ends += advance.finishes() ? 1 : 0;
    }
  }

  private Done done() {
    return done.isEmpty()
        ? Done.NOTHING
        : (vertex, index) -> done.contains(new Step(vertex.key(), index));
  }

  private void create(List<Start> starts) {
    for (Start start : starts) {
      assertThat(start.count()).as("steps of %s to start", start.vertex()).isPositive();
      for (int i = 0; i < start.count(); i++) {
        Step step = new Step(start.vertex().key(), start.first() + i);
        assertThat(done).as("has finished").doesNotContain(step);
        assertThat(created.add(step)).as("%s is created once", step).isTrue();
        ready.add(step);
      }
    }
  }

  private static String key(Arrival arrival) {
    return key(arrival.target(), arrival.index());
  }

  private static String key(@Nullable Vertex target, int index) {
    return target == null ? END : target.key() + "#" + index;
  }

  private static Arrival sum(Arrival one, Arrival other) {
    assertThat(other.need()).as("what a target waits for is always the same").isEqualTo(one.need());
    return new Arrival(one.target(), one.index(), one.need(), one.delta() + other.delta());
  }
}
