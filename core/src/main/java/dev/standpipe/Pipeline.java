package dev.standpipe;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.EndCallbackGraphs;
import dev.standpipe.definition.EndCallbacks;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphChange;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.EndedRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A named, typed graph of steps. Immutable and validated; define it once and keep it.
 *
 * @param <I> the input of a run
 * @param <O> the result of a run
 */
public final class Pipeline<I, O> {
  private final Graph graph;
  private final TypeToken<I> inputType;
  private final TypeToken<O> outputType;
  private final Map<String, StepDefinition> steps;
  private final List<GraphNode> written;
  private final List<Pipeline<?, ?>> endCallbacks;

  private Pipeline(
      TypeToken<I> inputType,
      TypeToken<O> outputType,
      Graph graph,
      Map<String, StepDefinition> steps) {
    this.inputType = inputType;
    this.outputType = outputType;
    this.graph = graph;
    this.written = graph.nodes();
    this.steps = steps;
    this.endCallbacks = List.of();
  }

  private Pipeline(
      TypeToken<I> inputType,
      TypeToken<O> outputType,
      Graph graph,
      List<Draft> drafts,
      List<Pipeline<?, ?>> endCallbacks) {
    this.inputType = inputType;
    this.outputType = outputType;
    this.graph = graph;
    this.written = drafts.stream().map(Draft::toGraphNode).toList();
    this.steps = new LinkedHashMap<>();
    drafts.forEach(draft -> steps.put(draft.key, draft.toStep()));
    this.endCallbacks = List.copyOf(endCallbacks);
  }

  /**
   * Defines a pipeline. The function wires nodes from {@link Flow#input()} and returns the one
   * whose value is the run's result; nodes nothing depends on are part of the run as well.
   *
   * @throws DefinitionException listing every mistake at once
   */
  public static <I, O> Pipeline<I, O> define(
      String name, Class<I> input, Class<O> output, Function<Flow<I>, Node<O>> wiring) {
    return define(name, TypeToken.of(input), TypeToken.of(output), wiring);
  }

  /** Defines a pipeline with generic types. */
  public static <I, O> Pipeline<I, O> define(
      String name, TypeToken<I> input, TypeToken<O> output, Function<Flow<I>, Node<O>> wiring) {
    Requirements.check();
    Flow<I> flow = new Flow<>(input);
    if (output == null || output.isMissing()) {
      flow.problem("the pipeline has no output type: say of which a run's result is");
    }
    Node<O> result = wire(name, flow, wiring);
    List<Draft> drafts = flow.close();
    List<String> problems = Validation.problems(name, drafts, result.draft);
    if (!problems.isEmpty()) {
      throw new DefinitionException(name, problems);
    }
    Graph graph = graph(name, drafts, result.draft.key, flow);
    List<Pipeline<?, ?>> hidden = new ArrayList<>();
    flow.callbacks().forEach(callback -> hidden.add(callback.pipeline(name)));
    if (graph.endCallbacks().has(EndCallback.COMPENSATE)) {
      hidden.add(compensation(graph, drafts));
    }
    return new Pipeline<>(input, output, graph, drafts, hidden);
  }

  private static Graph graph(String name, List<Draft> drafts, String output, Flow<?> flow) {
    List<EndCallback> endCallbacks = new ArrayList<>();
    flow.callbacks().forEach(callback -> endCallbacks.add(callback.endCallback));
    List<String> compensated =
        drafts.stream().filter(Draft::isCompensated).map(draft -> draft.key).toList();
    if (!compensated.isEmpty()) {
      endCallbacks.add(EndCallback.COMPENSATE);
    }
    List<GraphNode> nodes = drafts.stream().map(Draft::toGraphNode).toList();
    return Graph.of(
        name, nodes, output, new EndCallbacks(endCallbacks, compensated), flow.strategies());
  }

  private static Pipeline<EndedRun, Boolean> compensation(Graph graph, List<Draft> drafts) {
    return new Pipeline<>(
        TypeToken.of(EndedRun.class),
        TypeToken.of(Boolean.class),
        EndCallbackGraphs.of(graph, EndCallback.COMPENSATE),
        Compensation.steps(graph, drafts));
  }

  /** A pipeline that belongs to another; the last of its nodes has the result. */
  static <I, O> Pipeline<I, O> hidden(
      String name, TypeToken<I> input, TypeToken<O> output, List<Draft> drafts) {
    List<GraphNode> nodes = drafts.stream().map(Draft::toGraphNode).toList();
    Graph graph = Graph.of(name, nodes, nodes.get(nodes.size() - 1).key());
    return new Pipeline<>(input, output, graph, drafts, List.of());
  }

  private static <I, O> Node<O> wire(String name, Flow<I> flow, Function<Flow<I>, Node<O>> wiring) {
    try {
      Node<O> result = wiring == null ? null : wiring.apply(flow);
      if (result == null) {
        throw new Bodies.BrokenOff(
            "its wiring returns null: return the node whose value is the run's result");
      }
      return result;
    } catch (Bodies.BrokenOff e) {
      List<String> problems = Validation.problems(name, flow.close());
      problems.add(String.valueOf(e.getMessage()));
      throw new DefinitionException(name, problems);
    }
  }

  /** The pipeline's name: its identity in the database, across deploys. */
  public String name() {
    return graph.pipeline();
  }

  /** Its shape. */
  public Graph graph() {
    return graph;
  }

  /** The type of a run's input. */
  public TypeToken<I> inputType() {
    return inputType;
  }

  /** The type of a run's result. */
  public TypeToken<O> outputType() {
    return outputType;
  }

  /** The code of one node. */
  public Optional<StepDefinition> step(String key) {
    return Optional.ofNullable(steps.get(key));
  }

  /**
   * This code on an older graph, for runs that have it.
   *
   * @param renamed the keys nodes have now, by those they had
   * @throws StandpipeException with {@code INVALID_DEFINITION} if it does not fit
   */
  public Pipeline<I, O> on(Graph older, Map<String, String> renamed) {
    GraphChange change = new GraphChange(older, graph, renamed);
    List<String> problems = change.problems();
    if (!problems.isEmpty()) {
      throw new DefinitionException(name(), problems);
    }
    Map<String, StepDefinition> code = new LinkedHashMap<>();
    for (GraphNode node : older.nodes()) {
      step(change.key(node.key())).ifPresent(step -> code.put(node.key(), step));
    }
    return new Pipeline<>(inputType, outputType, older, code);
  }

  /** The hidden pipelines of its callbacks and its compensation, which are served with it. */
  public List<Pipeline<?, ?>> endCallbacks() {
    return endCallbacks;
  }

  /** The pipelines that its steps call. */
  public List<Pipeline<?, ?>> called() {
    return steps.values().stream().flatMap(step -> step.calls().stream()).distinct().toList();
  }

  /** The graph as a Mermaid flowchart, for documentation and reviews. */
  public String toMermaid() {
    return Mermaid.draw(written, graph);
  }

  @Override
  public String toString() {
    return graph.toString();
  }
}
