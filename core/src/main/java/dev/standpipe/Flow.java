package dev.standpipe;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategies;
import dev.standpipe.definition.Strategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The place where a pipeline's nodes are wired, open only inside {@link Pipeline#define}. Not
 * thread-safe.
 *
 * @param <I> the run's input
 */
public final class Flow<I> {
  private final List<Draft> drafts = new ArrayList<>();
  private final Node<I> input;
  private final List<DivertDraft> diverts = new ArrayList<>();
  private Draft.@Nullable Place place;
  private Strategy strategy = Strategy.HALT;
  private boolean open = true;

  Flow(TypeToken<I> type) {
    this.input =
        new Node<>(add(GraphNode.INPUT_KEY, NodeKind.INPUT, type, List.of(), Flow::noBody));
  }

  /** The run's input. */
  public Node<I> input() {
    return input;
  }

  /**
   * Says what it means for a run that one of its steps has failed for good: {@link Strategy#HALT}
   * by default. A step can say otherwise for itself.
   */
  public void strategy(Strategy strategy) {
    requireOpen();
    this.strategy = strategy;
  }

  Strategies strategies() {
    Map<String, Strategy> steps = new HashMap<>();
    drafts.forEach(draft -> draft.strategy().ifPresent(said -> steps.put(draft.key, said)));
    return new Strategies(strategy, steps);
  }

  Draft add(
      String key, NodeKind kind, TypeToken<?> type, List<Draft> inputs, StepDefinition.Body body) {
    requireOpen();
    Draft draft = new Draft(this, key, kind, type, inputs, body);
    drafts.add(draft);
    return draft;
  }

  /** Where what is wired now is written; {@code null} if on no arm. */
  Draft.@Nullable Place place() {
    return place;
  }

  /** Wires an arm: all that is added meanwhile is on it. */
  Draft wireOn(Draft.Place arm, Supplier<Draft> wiring) {
    requireOpen();
    Draft.Place outside = place;
    place = arm;
    try {
      return wiring.get();
    } finally {
      place = outside;
    }
  }

  void add(DivertDraft divert) {
    diverts.add(divert);
  }

  List<DivertDraft> diverts() {
    return diverts;
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

  /** Adds a node whose value is that of another. */
  Draft add(String key, NodeKind kind, TypeToken<?> type, List<Draft> inputs) {
    return add(key, kind, type, inputs, Flow::noBody);
  }

  private static Object noBody(List<?> inputs, StepContext ctx) {
    throw new IllegalStateException("This node has no body");
  }
}
