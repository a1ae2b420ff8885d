package dev.standpipe.internal.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.definition.Graph;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random graphs whose runs are stopped anywhere and forked at any node. */
class ForkingProperties {
  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void aForkAtAnyNodeEndsLikeAWholeRun(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    RandomOrder order = new RandomOrder(model, dice);
    Graph graph = order.graph(random);
    MemoryRun whole = new MemoryRun(graph);
    order.drive(whole);
    MemoryRun original = new MemoryRun(graph);
    List<Step> ended = order.endedSomewhere(original);
    String at = anyNode(model, dice);
    Forking forking = new Forking(graph, graph.vertex(at));
    assertThat(forking.redone())
        .containsExactlyInAnyOrderElementsOf(
            nodes(model).stream().filter(key -> model.leadsTo(at, key)).toList());
    RunPast past = new RunPast(graph, model);
    List<Resumption.EndedStep> taken = past.finished(ended, original.skips());
    taken.removeIf(one -> forking.redone().contains(one.step().vertex().key()));
    Map<Step, Integer> yielded = yieldedBefore(forking, original);
    Resumption resumption = Resumption.of(graph, taken, past.open(yielded));
    Set<String> before = new HashSet<>(model.ancestors(at));
    before.remove(at);
    Set<Step> due = new HashSet<>(whole.created());
    due.removeIf(step -> !before.contains(step.key()));
    assertThat(forking.missing(resumption).isEmpty()).isEqualTo(ended.containsAll(due));
    assertThat(before).containsAll(forking.missing(resumption));
    if (forking.missing(resumption).isEmpty()) {
      assertThat(forking.isSkipped(resumption)).isEqualTo(isKnownToBeSkipped(at, graph, model));
    }
    MemoryRun fork = new MemoryRun(graph, taken, yielded, resumption);
    order.drive(fork);
    comesToTheSameEnd(fork, whole);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void aForkRerunsFailuresAndNoTakenOverStep(
      @ForAll(supplier = RandomMoves.class) List<Move> moves, @ForAll long seed) {
    RandomGraph random = RandomGraph.lenient(moves, seed);
    Model model = random.model();
    Random dice = new Random(seed);
    RandomOrder order = new RandomOrder(model, dice);
    model.failing(order.someSteps());
    Graph graph = order.graph(random);
    MemoryRun original = new MemoryRun(graph);
    List<Step> ended = order.endedSomewhere(original);
    Forking forking = new Forking(graph, graph.vertex(anyNode(model, dice)));
    RunPast past = new RunPast(graph, model);
    List<Resumption.EndedStep> taken = past.succeeded(ended, original.skips());
    taken.removeIf(one -> forking.redone().contains(one.step().vertex().key()));
    Map<Step, Integer> yielded = yieldedBefore(forking, original);
    Resumption resumption = Resumption.of(graph, taken, past.open(yielded));
    MemoryRun fork = new MemoryRun(graph, taken, yielded, resumption);
    model.failing(Set.of());
    MemoryRun whole = new MemoryRun(graph);
    order.drive(whole);
    order.drive(fork);
    comesToTheSameEnd(fork, whole);
  }

  private static String anyNode(Model model, Random dice) {
    List<String> keys = nodes(model);
    return keys.get(dice.nextInt(keys.size()));
  }

  /** Every node but the input. */
  private static List<String> nodes(Model model) {
    return model.keys().subList(1, model.keys().size());
  }

  private static Map<Step, Integer> yieldedBefore(Forking forking, MemoryRun original) {
    Map<Step, Integer> yielded = new HashMap<>(original.yielded());
    yielded.keySet().removeIf(step -> forking.redone().contains(step.key()));
    return yielded;
  }

  private static boolean isKnownToBeSkipped(String at, Graph graph, Model model) {
    boolean skips =
        model.absent().keySet().stream().anyMatch(step -> step.key().equals(at))
            && model.all().stream().noneMatch(step -> step.key().equals(at));
    boolean known =
        !graph.vertex(at).isUncertain()
            || (!model.expand(at).isEmpty() && model.isSkipped(model.expand(at)));
    return skips && known;
  }

  private static void comesToTheSameEnd(MemoryRun fork, MemoryRun whole) {
    assertThat(fork.created()).isEqualTo(whole.created());
    assertThat(fork.skips()).isEqualTo(whole.skips());
    assertThat(fork.ends()).as("times the fork ended").isEqualTo(1);
  }
}
