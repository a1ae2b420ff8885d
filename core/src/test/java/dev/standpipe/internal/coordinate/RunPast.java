package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** What a run leaves behind for a resumption or a fork that goes on from it. */
record RunPast(Graph graph, Model model) {
  List<Resumption.EndedStep> finished(List<Step> ended, Collection<Skip> skips) {
    List<Resumption.EndedStep> finished = new ArrayList<>();
    for (Step step : ended) {
      finished.add(
          new Resumption.EndedStep(
              new Resumption.GraphStep(graph.vertex(step.key()), step.index()),
              MemoryRun.ending(step, model)));
    }
    for (Skip skip : skips) {
      finished.add(
          new Resumption.EndedStep(
              new Resumption.GraphStep(skip.vertex(), skip.index()), Ending.SKIPPED));
    }
    return finished;
  }

  /** What is lost is not over when its run is brought back. */
  List<Resumption.EndedStep> succeeded(List<Step> ended, Collection<Skip> skips) {
    return finished(
        ended.stream().filter(step -> !model.isFailing(step)).toList(),
        skips.stream().filter(skip -> !skip.lost()).toList());
  }

  List<Resumption.Open> open(Map<Step, Integer> yielded) {
    List<Resumption.Open> open = new ArrayList<>();
    yielded.forEach((step, n) -> open.add(new Resumption.Open(graph.vertex(step.key()), n)));
    return open;
  }
}
