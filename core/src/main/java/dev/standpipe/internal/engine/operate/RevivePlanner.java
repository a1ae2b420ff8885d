package dev.standpipe.internal.engine.operate;

import static java.util.stream.Collectors.toSet;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.internal.coordinate.Ending;
import dev.standpipe.internal.coordinate.Resumption;
import dev.standpipe.internal.engine.commit.SettlementPlanner;
import dev.standpipe.internal.engine.execute.ArmValue;
import dev.standpipe.internal.port.Quarantines.FinishedStep;
import dev.standpipe.internal.port.Quarantines.OpenCounter;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Quarantines.ResumedStep;
import dev.standpipe.internal.port.Runs.TakenOver;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Store;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Works out how a run that has ended halted or failed can go on. Nothing of such a run changes
 * meanwhile.
 */
final class RevivePlanner {
  private RevivePlanner() {}

  static Resume of(Store store, UUID run) {
    int lane = store.runQueries().lane(run).orElseThrow(() -> new UnknownRunException(run));
    Graph graph = store.definitions().byLane(lane).orElseThrow().graph();
    TakenOver all =
        new TakenOver(store.quarantines().finished(run), store.quarantines().unfinished(run));
    return resume(run, graph, resumption(graph, all));
  }

  /** Where a run goes on that has come so far. */
  static Resumption resumption(Graph graph, TakenOver taken) {
    Set<String> skipped =
        taken.finished().stream()
            .filter(FinishedStep::skipped)
            .map(FinishedStep::node)
            .collect(toSet());
    List<Resumption.EndedStep> finished =
        taken.finished().stream().map(one -> finished(graph, one, skipped)).toList();
    List<Resumption.Open> unfinished =
        taken.unfinished().stream()
            .filter(one -> graph.vertex(one.node()).scope() == null) // inside, all go in at once
            .map(one -> new Resumption.Open(graph.vertex(one.node()), one.elements()))
            .toList();
    return Resumption.of(graph, finished, unfinished);
  }

  /** That, as the database is told. */
  static Resume resume(UUID run, Graph graph, Resumption resumption) {
    return new Resume(
        run,
        resumption.starts().stream().map(RevivePlanner::resumed).toList(),
        resumption.waiting().stream()
            .map(w -> new OpenCounter(counter(graph, w), w.need(), w.remaining()))
            .toList());
  }

  private static Resumption.EndedStep finished(Graph graph, FinishedStep one, Set<String> skipped) {
    Vertex vertex = graph.vertex(one.node());
    int index = one.index();
    boolean inside = vertex.kind() == NodeKind.EXPAND && vertex.scope() != null;
    if (inside && one.skipped() && !skipped.contains(outermost(vertex).key())) {
      index = Settlement.header(index);
    }
    return new Resumption.EndedStep(new Resumption.GraphStep(vertex, index), ending(vertex, one));
  }

  private static Vertex outermost(Vertex vertex) {
    Vertex outside = vertex.scope();
    return outside == null ? vertex : outermost(outside);
  }

  private static Ending ending(Vertex vertex, FinishedStep one) {
    if (one.skipped()) {
      return Ending.SKIPPED;
    }
    String arm = one.arm();
    return vertex.kind() == NodeKind.DIVERT && arm != null
        ? Ending.diverted(ArmValue.read(arm))
        : Ending.expanded(one.elements());
  }

  private static ResumedStep resumed(Resumption.GraphStep step) {
    return new ResumedStep(
        step.vertex().key(), SettlementPlanner.taskId(step.vertex(), step.index()), step.index());
  }

  private static String counter(Graph graph, Resumption.OpenTarget waiting) {
    return Bump.counter(SettlementPlanner.target(graph, waiting.target()), waiting.index());
  }
}
