package dev.standpipe.internal.engine;

import dev.standpipe.UnknownRunException;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Ending;
import dev.standpipe.internal.coordinate.Resumption;
import dev.standpipe.spi.Quarantines.Finished;
import dev.standpipe.spi.Quarantines.Resume;
import dev.standpipe.spi.Quarantines.Resumed;
import dev.standpipe.spi.Quarantines.Waiting;
import dev.standpipe.spi.Settlement.Bump;
import dev.standpipe.spi.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Works out how a run that has ended halted can go on. Nothing of such a run changes meanwhile. */
final class Resumes {
  private Resumes() {}

  static Resume of(Store store, UUID run) {
    int lane = store.runs().lane(run).orElseThrow(() -> new UnknownRunException(run));
    Graph graph = store.definitions().byLane(lane).orElseThrow().graph();
    List<Resumption.Finished> finished = new ArrayList<>();
    List<Resumption.Step> again = new ArrayList<>();
    for (Finished one : store.quarantines().finished(run)) {
      Resumption.Step step = new Resumption.Step(graph.vertex(one.node()), one.index());
      if (one.failed()) {
        again.add(step);
      } else {
        finished.add(new Resumption.Finished(step, ending(step.vertex(), one)));
      }
    }
    List<Resumption.Open> open =
        store.quarantines().unfinished(run).stream()
            .filter(one -> graph.vertex(one.node()).scope() == null) // inside, all go in at once
            .map(one -> new Resumption.Open(graph.vertex(one.node()), one.elements()))
            .toList();
    Resumption resumption = Resumption.of(graph, finished, new Resumption.Unfinished(open, again));
    return new Resume(
        run,
        resumption.starts().stream().map(Resumes::resumed).toList(),
        resumption.waiting().stream()
            .map(w -> new Waiting(counter(graph, w), w.need(), w.remaining()))
            .toList());
  }

  private static Ending ending(Vertex vertex, Finished one) {
    if (one.skipped()) {
      return Ending.SKIPPED;
    }
    String arm = one.arm();
    return vertex.kind() == NodeKind.DIVERT && arm != null
        ? Ending.diverted(ArmValue.read(arm))
        : Ending.expanded(one.elements());
  }

  private static Resumed resumed(Resumption.Step step) {
    return new Resumed(
        step.vertex().key(), Planner.taskId(step.vertex(), step.index()), step.index());
  }

  private static String counter(Graph graph, Resumption.Waiting waiting) {
    return Bump.counter(Planner.target(graph, waiting.target()), waiting.index());
  }
}
