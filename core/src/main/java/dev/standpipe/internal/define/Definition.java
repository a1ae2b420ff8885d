package dev.standpipe.internal.define;

import dev.standpipe.StepDefinition;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * All of a pipeline but its types. Immutable.
 *
 * @param graph its shape
 * @param nodes its nodes in the order in which they were written
 * @param steps the code of its nodes, by key
 * @param endCallbacks the hidden pipelines of its callbacks and its compensation
 */
public record Definition(
    Graph graph,
    List<GraphNode> nodes,
    Map<String, StepDefinition> steps,
    List<Definition> endCallbacks) {

  /** A pipeline without callbacks; the last of its nodes has the result. */
  static Definition of(String name, List<NodeDraft> drafts) {
    List<GraphNode> nodes = drafts.stream().map(NodeDraft::toGraphNode).toList();
    Graph graph = Graph.of(name, nodes, nodes.get(nodes.size() - 1).key());
    return new Definition(graph, nodes, steps(drafts), List.of());
  }

  static Map<String, StepDefinition> steps(List<NodeDraft> drafts) {
    Map<String, StepDefinition> steps = new LinkedHashMap<>();
    drafts.forEach(draft -> steps.put(draft.key, draft.toStep()));
    return steps;
  }
}
