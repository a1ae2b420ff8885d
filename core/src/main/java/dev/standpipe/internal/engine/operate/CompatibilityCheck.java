package dev.standpipe.internal.engine.operate;

import dev.standpipe.Deployment;
import dev.standpipe.Lane;
import dev.standpipe.Pipeline;
import dev.standpipe.TakeOver;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphChange;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.Definitions.DefinitionInUse;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.operate.Incompatibility;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which runs a program's code can go on with. */
public final class CompatibilityCheck {
  private final Deployment deployment;

  public CompatibilityCheck(Deployment deployment) {
    this.deployment = deployment;
  }

  /** The older definitions whose runs are taken over, by lane, with the code for them. */
  public Map<Integer, Pipeline<?, ?>> takenOver(Definitions definitions) {
    Map<Integer, Pipeline<?, ?>> byLane = new HashMap<>();
    for (TakeOver takeOver : deployment.takeOvers()) {
      Pipeline<?, ?> pipeline = takeOver.pipeline();
      for (Registered older : definitions.all(pipeline.name())) {
        GraphChange change = new GraphChange(older.graph(), pipeline.graph(), takeOver.renamed());
        if (!older.graph().equals(pipeline.graph()) && change.problems().isEmpty()) {
          byLane.put(older.lane(), pipeline.on(older.graph(), takeOver.renamed()));
        }
      }
    }
    return byLane;
  }

  /** The definitions with runs in flight that it cannot go on with. */
  public List<Incompatibility> check(Definitions definitions) {
    List<Incompatibility> found = new ArrayList<>();
    for (DefinitionInUse inFlight : definitions.inFlight()) {
      Graph graph = inFlight.definition().graph();
      List<String> problems = problems(graph);
      if (!problems.isEmpty()) {
        Lane lane = new Lane(graph.pipeline(), graph.hash());
        found.add(new Incompatibility(lane, inFlight.runs(), problems));
      }
    }
    return found;
  }

  /** The pipelines with those that they call and their callbacks, as a process serves them. */
  private Set<Pipeline<?, ?>> served() {
    Set<Pipeline<?, ?>> served = new LinkedHashSet<>();
    Deque<Pipeline<?, ?>> open = new ArrayDeque<>(deployment.pipelines());
    deployment.takeOvers().forEach(takeOver -> open.add(takeOver.pipeline()));
    while (!open.isEmpty()) {
      Pipeline<?, ?> pipeline = open.remove();
      if (served.add(pipeline)) {
        open.addAll(pipeline.called());
        served.addAll(pipeline.endCallbacks());
      }
    }
    return served;
  }

  private List<String> problems(Graph graph) {
    Optional<Pipeline<?, ?>> served =
        served().stream().filter(p -> p.name().equals(graph.pipeline())).findFirst();
    if (served.isEmpty()) {
      return List.of("no pipeline of this name is served");
    }
    if (served.get().graph().equals(graph)) {
      return List.of();
    }
    Optional<TakeOver> takeOver =
        deployment.takeOvers().stream()
            .filter(one -> one.pipeline().name().equals(graph.pipeline()))
            .findFirst();
    Map<String, String> renamed = takeOver.map(TakeOver::renamed).orElse(Map.of());
    List<String> problems = new GraphChange(graph, served.get().graph(), renamed).problems();
    return problems.isEmpty() && takeOver.isEmpty()
        ? List.of("its graph has changed, and its runs are not taken over, though they could be")
        : problems;
  }
}
