package dev.standpipe.internal.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.definition.Graph;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random graphs whose runs are stopped anywhere, and go on from what has finished alone. */
class ResumptionProperties {
  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void aReviveRunsTheRemainingStepsOnce(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = RandomGraph.lenient(moves, seed);
    Model model = random.model();
    RandomOrder order = new RandomOrder(model, new Random(seed));
    model.failing(order.someSteps());
    Graph graph = order.graph(random);
    MemoryRun run = new MemoryRun(graph);
    List<Step> ended = order.endedWithin(run, 2 * model.all().size());
    RunPast past = new RunPast(graph, model);
    List<Resumption.EndedStep> finished = past.succeeded(ended, run.skips());
    Resumption resumption = Resumption.of(graph, finished, past.open(run.yielded()));
    assertThat(resumption.skips()).isEmpty();
    MemoryRun again = new MemoryRun(graph, finished, run.yielded(), resumption);
    ended.removeIf(model::isFailing);
    model.failing(Set.of());
    Set<Step> after = new HashSet<>();
    while (!again.ready().isEmpty()) {
      assertThat(again.ends()).as("ended with work left").isZero();
      List<Step> batch = order.take(again);
      after.addAll(batch);
      again.end(batch, model);
    }
    assertThat(again.ends()).as("times the run ended").isEqualTo(1);
    Set<Step> left = model.all();
    left.removeAll(new HashSet<>(ended));
    assertThat(after).isEqualTo(left);
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void aStoppedRunResumesItsReadyStepsAndCounters(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    RandomOrder order = new RandomOrder(model, dice);
    Graph graph = order.graph(random);
    MemoryRun run = new MemoryRun(graph);
    List<Step> ended = order.endedSomewhere(run);
    Collections.shuffle(ended, dice);
    RunPast past = new RunPast(graph, model);
    Resumption resumption =
        Resumption.of(graph, past.finished(ended, run.skips()), past.open(run.yielded()));
    assertThat(resumption.starts())
        .extracting(step -> new Step(step.vertex().key(), step.index()))
        .containsExactlyInAnyOrderElementsOf(run.ready());
    Map<String, Integer> waiting = new HashMap<>();
    resumption
        .waiting()
        .forEach(
            w ->
                waiting.put(
                    w.target() == null ? "$end" : w.target().key() + "#" + w.index(),
                    w.remaining()));
    assertThat(waiting).isEqualTo(run.arrivals());
    assertThat(resumption.skips()).isEmpty();
  }
}
