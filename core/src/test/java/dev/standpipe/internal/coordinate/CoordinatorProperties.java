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
import java.util.Random;
import java.util.Set;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Random graphs, random numbers of elements and a random order of completion, against a model that
 * knows only who depends on whom. After every commit, the steps that were ever created must be
 * exactly those the model would let start: none early, none late, none missing, none twice (I5).
 */
class CoordinatorProperties {
  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void everyStepStartsOnceWhenItsInputsEnd(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    RandomOrder order = new RandomOrder(random.model(), new Random(seed));
    endsAsTheModelSays(new MemoryRun(order.graph(random)), order);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void failuresLoseOnlyTheirDependents(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = RandomGraph.lenient(moves, seed);
    Model model = random.model();
    RandomOrder order = new RandomOrder(model, new Random(seed));
    model.failing(order.someSteps());
    Graph graph = order.graph(random);
    endsAsTheModelSays(new MemoryRun(graph), order);
    List<Vertex> failed =
        model.all().stream()
            .filter(model::isFailing)
            .map(step -> graph.vertex(step.key()))
            .toList();
    assertThat(End.of(graph, failed)).isEqualTo(failed.isEmpty() ? End.SUCCEEDED : End.FAILED);
  }

  private static void endsAsTheModelSays(MemoryRun run, RandomOrder order) {
    Model model = order.model();
    Set<Step> ended = new HashSet<>();
    while (!run.ready().isEmpty()) {
      assertThat(run.ends()).as("ended with work left").isZero();
      List<Step> batch = order.take(run);
      ended.addAll(batch);
      run.end(batch, model);
      assertThat(run.created()).isEqualTo(model.startable(ended, run.yielded()));
    }
    assertThat(run.ends()).as("times the run ended").isEqualTo(1);
    assertThat(ended).isEqualTo(model.all());
    assertThat(absent(run)).isEqualTo(model.absent());
    assertThat(run.arrivals().values()).as("arrivals still waited for").allMatch(left -> left == 0);
  }

  private static Map<Step, Model.Fate> absent(MemoryRun run) {
    Map<Step, Model.Fate> absent = new HashMap<>();
    for (Skip skip : run.skips()) {
      absent.put(
          new Step(skip.vertex().key(), skip.index()),
          skip.lost() ? Model.Fate.LOST : Model.Fate.SKIPPED);
    }
    return absent;
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void dependentsOfAFailedStepNeverStart(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    RandomOrder order = new RandomOrder(model, dice);
    int sides = 2 + dice.nextInt(20);
    MemoryRun run = new MemoryRun(order.graph(random));
    Set<Step> ended = new HashSet<>();
    Set<Step> failed = new HashSet<>();
    while (!run.ready().isEmpty()) {
      List<Step> batch = order.take(run);
      List<Step> succeeded = new ArrayList<>(batch);
      succeeded.removeIf( // what an expand has yielded stays, whether it fails or not
          step -> dice.nextInt(sides) == 0 && !run.yielded().containsKey(step));
      ended.addAll(succeeded);
      batch.removeAll(succeeded);
      failed.addAll(batch);
      run.end(succeeded, model);
      assertThat(run.created()).isEqualTo(model.startable(ended, run.yielded()));
    }
    assertThat(run.ends()).as("times the run ended").isEqualTo(failed.isEmpty() ? 1 : 0);
    for (Step failure : failed) {
      assertThat(run.created())
          .as("created although %s failed", failure)
          .noneMatch(step -> dependsOn(model, step, failure));
    }
  }

  /** Elements depend on each other only at the same index; everything else on all of them. */
  private static boolean dependsOn(Model model, Step step, Step failure) {
    return !step.key().equals(failure.key())
        && model.ancestors(step.key()).contains(failure.key())
        && !model.areElementsApart(step, failure);
  }
}
