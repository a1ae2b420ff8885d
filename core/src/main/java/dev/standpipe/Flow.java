package dev.standpipe;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The place where a pipeline's nodes are wired, open only inside {@link Pipeline#define}. Not
 * thread-safe.
 *
 * @param <I> the run's input
 */
public final class Flow<I> {
  private final List<Draft> drafts = new ArrayList<>();
  private final Node<I> input;
  private boolean open = true;

  Flow(TypeToken<I> type) {
    this.input =
        new Node<>(add(GraphNode.INPUT_KEY, NodeKind.INPUT, type, List.of(), Flow::noBody));
  }

  /** The run's input. */
  public Node<I> input() {
    return input;
  }

  Draft add(
      String key, NodeKind kind, TypeToken<?> type, List<Draft> inputs, StepDefinition.Body body) {
    requireOpen();
    Draft draft = new Draft(this, key, kind, type, inputs, body);
    drafts.add(draft);
    return draft;
  }

  List<Draft> close() {
    open = false;
    return drafts;
  }

  void requireOpen() {
    if (!open) {
      throw new IllegalStateException(
          "This pipeline is already defined. Wire and configure its nodes inside Pipeline.define.");
    }
  }

  private static Object noBody(List<?> inputs, StepContext ctx) {
    throw new IllegalStateException("The input has no body");
  }
}
