package dev.standpipe;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphChange;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.error.DefinitionException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.EndedRun;
import dev.standpipe.internal.Mermaid;
import dev.standpipe.internal.Requirements;
import dev.standpipe.internal.define.Definition;
import dev.standpipe.internal.define.DefinitionBuilder;
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

  private Pipeline(TypeToken<I> inputType, TypeToken<O> outputType, Definition definition) {
    this.inputType = inputType;
    this.outputType = outputType;
    this.graph = definition.graph();
    this.written = definition.nodes();
    this.steps = definition.steps();
    this.endCallbacks =
        definition.endCallbacks().stream().<Pipeline<?, ?>>map(Pipeline::hidden).toList();
  }

  /** A pipeline that follows the end of another's runs. */
  private static Pipeline<EndedRun, Boolean> hidden(Definition definition) {
    return new Pipeline<>(TypeToken.of(EndedRun.class), TypeToken.of(Boolean.class), definition);
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
    Definition definition =
        DefinitionBuilder.define(
            name,
            input,
            output,
            flow -> {
              Node<O> result = wiring == null ? null : wiring.apply(new Flow<>(flow));
              return result == null ? null : result.draft;
            });
    return new Pipeline<>(input, output, definition);
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
    return new Pipeline<>(
        inputType, outputType, new Definition(older, older.nodes(), code, List.of()));
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
