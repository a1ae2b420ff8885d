package dev.standpipe.internal.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Model.Step;
import dev.standpipe.internal.coordinate.Move.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;

/**
 * Random graphs, random numbers of elements and a random order of completion, against a model that
 * knows only who depends on whom. After every commit, the steps that were ever created must be
 * exactly those the model would let start: none early, none late, none missing, none twice (I5).
 */
class CoordinatorProperties {
  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void everyStepStartsOnceAsSoonAsItMayAndTheRunEndsAfterTheLast(
      @ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    MemoryRun run = new MemoryRun(graph(random, dice));
    Set<Step> ended = new HashSet<>();
    while (!run.ready().isEmpty()) {
      assertThat(run.ends()).as("ended with work left").isZero();
      List<Step> batch = take(run, model, dice);
      ended.addAll(batch);
      run.end(batch, model);
      assertThat(run.created()).isEqualTo(model.startable(ended, run.yielded()));
    }
    assertThat(run.ends()).as("times the run ended").isEqualTo(1);
    assertThat(ended).isEqualTo(model.all());
    assertThat(absent(run)).isEqualTo(model.absent());
    assertThat(run.arrivals().values()).as("arrivals still waited for").allMatch(left -> left == 0);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void aRunThatOutlivesFailuresLosesWhatDependsOnThemAndNothingElse(
      @ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = RandomGraph.lenient(moves, seed);
    Model model = random.model();
    Random dice = new Random(seed);
    model.failing(someSteps(model, dice));
    Graph graph = graph(random, dice);
    MemoryRun run = new MemoryRun(graph);
    Set<Step> ended = new HashSet<>();
    while (!run.ready().isEmpty()) {
      assertThat(run.ends()).as("ended with work left").isZero();
      List<Step> batch = take(run, model, dice);
      ended.addAll(batch);
      run.end(batch, model);
      assertThat(run.created()).isEqualTo(model.startable(ended, run.yielded()));
    }
    assertThat(run.ends()).as("times the run ended").isEqualTo(1);
    assertThat(ended).isEqualTo(model.all());
    assertThat(absent(run)).isEqualTo(model.absent());
    assertThat(run.arrivals().values()).as("arrivals still waited for").allMatch(left -> left == 0);
    List<Vertex> failed =
        ended.stream().filter(model::isFailing).map(step -> graph.vertex(step.key())).toList();
    assertThat(End.of(graph, failed)).isEqualTo(failed.isEmpty() ? End.SUCCEEDED : End.FAILED);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void aRunWithFailuresIsBroughtBackWithAllThatIsLeftAndNothingTwice(
      @ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = RandomGraph.lenient(moves, seed);
    Model model = random.model();
    Random dice = new Random(seed);
    model.failing(someSteps(model, dice));
    Graph graph = graph(random, dice);
    MemoryRun run = new MemoryRun(graph);
    List<Step> ended = new ArrayList<>();
    int stopAfter = dice.nextInt(2 * model.all().size() + 1);
    while (!run.ready().isEmpty() && ended.size() < stopAfter) {
      List<Step> batch = take(run, model, dice);
      ended.addAll(batch);
      run.end(batch, model);
    }
    List<Step> succeeded = ended.stream().filter(step -> !model.isFailing(step)).toList();
    List<Resumption.Finished> finished =
        finished(graph, model, succeeded, run.skips().stream().filter(s -> !s.lost()).toList());
    Resumption resumption = Resumption.of(graph, finished, open(graph, run.yielded()));
    assertThat(resumption.skips()).isEmpty();
    MemoryRun again = new MemoryRun(graph, finished, run.yielded(), resumption);
    Set<Step> before = new HashSet<>(succeeded);
    model.failing(Set.of());
    Set<Step> after = new HashSet<>();
    while (!again.ready().isEmpty()) {
      assertThat(again.ends()).as("ended with work left").isZero();
      List<Step> batch = take(again, model, dice);
      after.addAll(batch);
      again.end(batch, model);
    }
    assertThat(again.ends()).as("times the run ended").isEqualTo(1);
    Set<Step> left = model.all();
    left.removeAll(before);
    assertThat(after).isEqualTo(left);
  }

  /** Any number of them that have a body. */
  private static Set<Step> someSteps(Model model, Random dice) {
    int sides = 2 + dice.nextInt(12);
    Set<Step> some = new HashSet<>();
    for (Step step : model.all()) {
      boolean hasBody = model.hasBody(step.key());
      if (hasBody && dice.nextInt(sides) == 0) {
        some.add(step);
      }
    }
    return some;
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
  void nothingThatDependsOnAFailedStepEverStarts(
      @ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    int sides = 2 + dice.nextInt(20);
    MemoryRun run = new MemoryRun(graph(random, dice));
    Set<Step> ended = new HashSet<>();
    Set<Step> failed = new HashSet<>();
    while (!run.ready().isEmpty()) {
      List<Step> batch = take(run, model, dice);
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

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void aRunStoppedAnywhereResumesWithWhatItHadReadyAndItsCounters(
      @ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    Graph graph = graph(random, dice);
    MemoryRun run = new MemoryRun(graph);
    List<Step> ended = endedSomewhere(run, model, dice);
    Collections.shuffle(ended, dice);
    Resumption resumption =
        Resumption.of(
            graph, finished(graph, model, ended, run.skips()), open(graph, run.yielded()));
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

  private static List<Resumption.Open> open(Graph graph, Map<Step, Integer> yielded) {
    List<Resumption.Open> open = new ArrayList<>();
    yielded.forEach((step, n) -> open.add(new Resumption.Open(graph.vertex(step.key()), n)));
    return open;
  }

  private static List<Resumption.Finished> finished(
      Graph graph, Model model, List<Step> ended, Collection<Skip> skips) {
    List<Resumption.Finished> finished = new ArrayList<>();
    for (Step step : ended) {
      finished.add(
          new Resumption.Finished(
              new Resumption.Step(graph.vertex(step.key()), step.index()),
              MemoryRun.ending(step, model)));
    }
    for (Skip skip : skips) {
      finished.add(
          new Resumption.Finished(
              new Resumption.Step(skip.vertex(), skip.index()), Ending.SKIPPED));
    }
    return finished;
  }

  @Property(tries = 2_000, edgeCases = EdgeCasesMode.NONE)
  void aForkAnywhereComesToTheEndOfAWholeRun(@ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = new RandomGraph(moves);
    Model model = random.model();
    Random dice = new Random(seed);
    Graph graph = graph(random, dice);
    MemoryRun whole = new MemoryRun(graph);
    drive(whole, model, dice);
    MemoryRun original = new MemoryRun(graph);
    List<Step> ended = endedSomewhere(original, model, dice);
    List<String> keys = model.keys().subList(1, model.keys().size());
    String at = keys.get(dice.nextInt(keys.size()));
    Forking forking = new Forking(graph, graph.vertex(at));
    assertThat(forking.redone())
        .containsExactlyInAnyOrderElementsOf(
            keys.stream().filter(key -> model.leadsTo(at, key)).toList());
    List<Resumption.Finished> taken = finished(graph, model, ended, original.skips());
    taken.removeIf(one -> forking.redone().contains(one.step().vertex().key()));
    Map<Step, Integer> yielded = new HashMap<>(original.yielded());
    yielded.keySet().removeIf(step -> forking.redone().contains(step.key()));
    Resumption resumption = Resumption.of(graph, taken, open(graph, yielded));
    Set<String> before = new HashSet<>(model.ancestors(at));
    before.remove(at);
    Set<Step> due = new HashSet<>(whole.created());
    due.removeIf(step -> !before.contains(step.key()));
    assertThat(forking.missing(resumption).isEmpty()).isEqualTo(ended.containsAll(due));
    assertThat(before).containsAll(forking.missing(resumption));
    if (forking.missing(resumption).isEmpty()) {
      boolean skips =
          model.absent().keySet().stream().anyMatch(step -> step.key().equals(at))
              && model.all().stream().noneMatch(step -> step.key().equals(at));
      boolean known =
          !graph.vertex(at).isUncertain()
              || (!model.expand(at).isEmpty() && model.isSkipped(model.expand(at)));
      assertThat(forking.isSkipped(resumption)).isEqualTo(skips && known);
    }
    MemoryRun fork = new MemoryRun(graph, taken, yielded, resumption);
    drive(fork, model, dice);
    assertThat(fork.created()).isEqualTo(whole.created());
    assertThat(fork.skips()).isEqualTo(whole.skips());
    assertThat(fork.ends()).as("times the fork ended").isEqualTo(1);
  }

  @Property(tries = 3_000, edgeCases = EdgeCasesMode.NONE)
  void aForkOfARunWithFailuresRunsThemAgainAndNothingItHasTakenOver(
      @ForAll("moves") List<Move> moves, @ForAll long seed) {
    RandomGraph random = RandomGraph.lenient(moves, seed);
    Model model = random.model();
    Random dice = new Random(seed);
    model.failing(someSteps(model, dice));
    Graph graph = graph(random, dice);
    MemoryRun original = new MemoryRun(graph);
    List<Step> ended = endedSomewhere(original, model, dice);
    ended.removeIf(model::isFailing);
    List<String> keys = model.keys().subList(1, model.keys().size());
    Forking forking = new Forking(graph, graph.vertex(keys.get(dice.nextInt(keys.size()))));
    List<Resumption.Finished> taken =
        finished(graph, model, ended, original.skips().stream().filter(s -> !s.lost()).toList());
    taken.removeIf(one -> forking.redone().contains(one.step().vertex().key()));
    Map<Step, Integer> yielded = new HashMap<>(original.yielded());
    yielded.keySet().removeIf(step -> forking.redone().contains(step.key()));
    Resumption resumption = Resumption.of(graph, taken, open(graph, yielded));
    MemoryRun fork = new MemoryRun(graph, taken, yielded, resumption);
    model.failing(Set.of());
    MemoryRun whole = new MemoryRun(graph);
    drive(whole, model, dice);
    drive(fork, model, dice);
    assertThat(fork.created()).isEqualTo(whole.created());
    assertThat(fork.skips()).isEqualTo(whole.skips());
    assertThat(fork.ends()).as("times the fork ended").isEqualTo(1);
  }

  private static void drive(MemoryRun run, Model model, Random dice) {
    while (!run.ready().isEmpty()) {
      run.end(take(run, model, dice), model);
    }
  }

  /** What has ended of a run that is looked at at any time. */
  private static List<Step> endedSomewhere(MemoryRun run, Model model, Random dice) {
    List<Step> ended = new ArrayList<>();
    int stopAfter = dice.nextInt(model.all().size() + 1);
    while (!run.ready().isEmpty() && ended.size() < stopAfter) {
      List<Step> batch = take(run, model, dice);
      ended.addAll(batch);
      run.end(batch, model);
    }
    return ended;
  }

  /** Without this, a generator gone dull would go unnoticed. */
  @Property(tries = 1)
  void theGraphsAreOfEveryShape() {
    List<RandomGraph> sample = moves().sampleStream().limit(500).map(RandomGraph::new).toList();
    assertThat(sample).anyMatch(g -> g.pipeline().graph().nodes().size() > 25);
    assertThat(sample).anyMatch(g -> g.pipeline().graph().endNeed() > 3);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.EXPAND) > 2);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.PER_ELEMENT) > 3);
    assertThat(sample)
        .anyMatch(g -> g.pipeline().graph().nodes().stream().anyMatch(n -> n.after().size() > 1));
    assertThat(sample).as("expands inside expands").anyMatch(g -> depth(g) == 2);
    assertThat(sample).as("expands inside those").anyMatch(g -> depth(g) > 2);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.DIVERT) > 2);
    assertThat(sample).anyMatch(g -> g.model().keys().stream().filter(Model::isDelay).count() > 2);
    assertThat(sample).anyMatch(g -> g.model().count(Model.Kind.BARRIER) > 1);
    assertThat(sample).anyMatch(g -> g.model().awaits().size() > 3);
    assertThat(sample).as("barriers on arms").anyMatch(CoordinatorProperties::hasBarrierOnAnArm);
    assertThat(sample).as("diverts within arms").anyMatch(CoordinatorProperties::hasNestedDivert);
    assertThat(sample)
        .as("arms for elements")
        .anyMatch(g -> g.model().skippedElements().size() > 3);
    assertThat(sample)
        .as("expands on arms for elements")
        .anyMatch(CoordinatorProperties::skipsExpandInside);
    assertThat(sample)
        .as("joins outside of all arms that are skipped")
        .anyMatch(CoordinatorProperties::skipsOutsideOfArms);
  }

  private static boolean hasBarrierOnAnArm(RandomGraph random) {
    return random.pipeline().graph().nodes().stream()
        .anyMatch(n -> n.kind() == NodeKind.BARRIER && n.arm() != null);
  }

  private static boolean skipsExpandInside(RandomGraph random) {
    return random.model().skippedElements().stream()
        .anyMatch(step -> random.model().kind(step.key()) == Model.Kind.EXPAND);
  }

  private static int depth(RandomGraph random) {
    int deepest = 0;
    for (String key : random.model().keys()) {
      int depth = 0;
      for (String at = key; !random.model().expand(at).isEmpty(); depth++) {
        at = random.model().expand(at);
      }
      deepest = Math.max(deepest, depth);
    }
    return deepest;
  }

  private static boolean hasNestedDivert(RandomGraph random) {
    return random.pipeline().graph().nodes().stream()
        .anyMatch(n -> n.kind() == NodeKind.DIVERT && n.arm() != null);
  }

  private static boolean skipsOutsideOfArms(RandomGraph random) {
    return random.pipeline().graph().nodes().stream()
        .anyMatch(
            n -> n.arm() == null && n.inputs().size() > 1 && random.model().isSkipped(n.key()));
  }

  @Provide
  Arbitrary<List<Move>> moves() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.of(Kind.STEP, Kind.JOIN, Kind.AFTER)),
            Tuple.of(
                1,
                Arbitraries.of(
                    Kind.ALL,
                    Kind.BARRIER,
                    Kind.AWAIT,
                    Kind.EACH_AWAIT,
                    Kind.CALL,
                    Kind.EACH_CALL)),
            Tuple.of(2, Arbitraries.of(Kind.DIVERT, Kind.EACH_DIVERT)),
            Tuple.of(1, Arbitraries.of(Kind.DELAY, Kind.EACH_DELAY)),
            Tuple.of(3, Arbitraries.of(Kind.EXPAND, Kind.EACH_STEP, Kind.COLLAPSE)),
            Tuple.of(1, Arbitraries.of(Kind.EXPAND_INSIDE)));
    Arbitrary<Integer> choices = Arbitraries.integers().between(0, 1_000);
    return Combinators.combine(kinds, choices, choices, Arbitraries.integers().between(0, 5))
        .as(Move::new)
        .list()
        .ofMaxSize(40);
  }

  /** As it was defined, or as it comes back from the database. */
  private static Graph graph(RandomGraph random, Random dice) {
    Graph graph = random.pipeline().graph();
    return dice.nextBoolean() ? graph : Graph.parse(graph.json());
  }

  /**
   * Any of those that are ready, in any order, one or several to a commit. An expand may yield some
   * of its elements before, and stay ready; not one that fails, which halts the run then.
   */
  private static List<Step> take(MemoryRun run, Model model, Random dice) {
    List<Step> batch = new ArrayList<>();
    int size = 1 + dice.nextInt(3);
    while (batch.size() < size && !run.ready().isEmpty()) {
      Step step = run.ready().remove(dice.nextInt(run.ready().size()));
      boolean streams = // inside, all go in at once
          model.expand(step.key()).isEmpty() && !model.isFailing(step);
      int left = model.elements(step) - run.yielded().getOrDefault(step, 0);
      if (streams && left > 0 && dice.nextBoolean()) {
        run.yieldSome(step, 1 + dice.nextInt(left));
        run.ready().add(step);
      } else {
        batch.add(step);
      }
    }
    return batch;
  }

  /** Elements depend on each other only at the same index; everything else on all of them. */
  private static boolean dependsOn(Model model, Step step, Step failure) {
    return !step.key().equals(failure.key())
        && model.ancestors(step.key()).contains(failure.key())
        && !model.areElementsApart(step, failure);
  }
}
