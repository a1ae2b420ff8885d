package dev.standpipe.internal.define;

import dev.standpipe.TypeToken;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.EndCallbacks;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.DefinitionException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Takes a definition from its wiring to its graph. Not thread-safe. */
public final class DefinitionBuilder {
  private final String name;
  private final FlowDraft flow;

  private DefinitionBuilder(String name, FlowDraft flow) {
    this.name = name;
    this.flow = flow;
  }

  /**
   * Defines a pipeline.
   *
   * @param wiring wires all nodes, and returns the one whose value is the run's result; {@code
   *     null} if the user's function does
   * @throws DefinitionException listing every mistake at once
   */
  public static Definition define(
      String name,
      TypeToken<?> input,
      TypeToken<?> output,
      Function<FlowDraft, @Nullable NodeDraft> wiring) {
    FlowDraft flow = new FlowDraft(input);
    if (output == null || output.type() == null) {
      flow.problem("the pipeline has no output type: say of which a run's result is");
    }
    DefinitionBuilder builder = new DefinitionBuilder(name, flow);
    return builder.build(builder.wire(wiring));
  }

  private NodeDraft wire(Function<FlowDraft, @Nullable NodeDraft> wiring) {
    try {
      NodeDraft result = wiring.apply(flow);
      if (result == null) {
        throw new FlowDraft.WiringException(
            "its wiring returns null: return the node whose value is the run's result");
      }
      return result;
    } catch (FlowDraft.WiringException e) {
      List<String> problems = Validation.problems(name, flow, flow.close());
      problems.add(String.valueOf(e.getMessage()));
      throw new DefinitionException(name, problems);
    }
  }

  private Definition build(NodeDraft result) {
    List<NodeDraft> drafts = flow.close();
    List<String> problems = Validation.problems(name, flow, drafts, result);
    if (!problems.isEmpty()) {
      throw new DefinitionException(name, problems);
    }
    List<GraphNode> nodes = drafts.stream().map(NodeDraft::toGraphNode).toList();
    Graph graph = Graph.of(name, nodes, result.key, endCallbacks(drafts), flow.strategies());
    List<Definition> hidden = new ArrayList<>();
    flow.callbacks().forEach(callback -> hidden.add(callback.definition(name)));
    if (graph.endCallbacks().has(EndCallback.COMPENSATE)) {
      hidden.add(Compensation.definition(graph, drafts));
    }
    return new Definition(graph, nodes, Definition.steps(drafts), List.copyOf(hidden));
  }

  private EndCallbacks endCallbacks(List<NodeDraft> drafts) {
    List<EndCallback> all = new ArrayList<>();
    flow.callbacks().forEach(callback -> all.add(callback.endCallback()));
    List<String> compensated =
        drafts.stream()
            .filter(draft -> draft.options().isCompensated())
            .map(draft -> draft.key)
            .toList();
    if (!compensated.isEmpty()) {
      all.add(EndCallback.COMPENSATE);
    }
    return new EndCallbacks(all, compensated);
  }
}
