package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** What is left to chance once a graph is wired: which steps fail, and in which order they end. */
record RandomOrder(Model model, Random dice) {
  /** The graph as it was defined, or as it comes back from the database. */
  Graph graph(RandomGraph random) {
    Graph graph = random.pipeline().graph();
    return dice.nextBoolean() ? graph : Graph.parse(graph.json());
  }

  /** Any number of steps that have a body. */
  Set<Step> someSteps() {
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

  /**
   * Any of those that are ready, in any order, one or several to a commit. An expand may yield some
   * of its elements before, and stay ready; not one that fails, which halts the run then.
   */
  List<Step> take(MemoryRun run) {
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

  /** Ends all there is to run. */
  void drive(MemoryRun run) {
    while (!run.ready().isEmpty()) {
      run.end(take(run), model);
    }
  }

  /** What has ended of a run that is looked at at any time. */
  List<Step> endedSomewhere(MemoryRun run) {
    return endedWithin(run, model.all().size());
  }

  /** What has ended of a run that is stopped after so many steps at most. */
  List<Step> endedWithin(MemoryRun run, int most) {
    List<Step> ended = new ArrayList<>();
    int stopAfter = dice.nextInt(most + 1);
    while (!run.ready().isEmpty() && ended.size() < stopAfter) {
      List<Step> batch = take(run);
      ended.addAll(batch);
      run.end(batch, model);
    }
    return ended;
  }
}
