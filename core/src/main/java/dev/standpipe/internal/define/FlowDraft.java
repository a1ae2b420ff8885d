package dev.standpipe.internal.define;

import dev.standpipe.EffectBody;
import dev.standpipe.StepContext;
import dev.standpipe.StepDefinition;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategies;
import dev.standpipe.definition.Strategy;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.EndedRun;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All nodes and callbacks of a pipeline while it is being defined. Not thread-safe. */
public final class FlowDraft {
  private static final int LONGEST_EVENT_TYPE = 200;

  private final List<NodeDraft> nodes = new ArrayList<>();
  private final List<String> problems = new ArrayList<>();
  private final NodeDraft input;
  private final List<DivertDraft> diverts = new ArrayList<>();
  private final List<CallbackDraft> callbacks = new ArrayList<>();
  private NodeDraft.@Nullable ArmPlace place;
  private Strategy strategy = Strategy.HALT;
  private boolean open = true;

  FlowDraft(TypeToken<?> type) {
    this.input = add(GraphNode.INPUT_KEY, NodeKind.INPUT, type, List.of());
  }

  /** What a user's function wires from one node. */
  @FunctionalInterface
  public interface Wiring {
    /** Wires from this node, and returns the last; {@code null} if the user's function does. */
    @Nullable NodeDraft from(NodeDraft source);
  }

  /**
   * A mistake after which wiring cannot go on: {@link DefinitionBuilder} lists it with the others.
   */
  static final class WiringException extends StandpipeException {
    private static final long serialVersionUID = 1L;

    WiringException(String problem) {
      super(ErrorCode.INVALID_DEFINITION, problem);
    }
  }

  /** The node that stands for the run's input. */
  public NodeDraft input() {
    return input;
  }

  /** Says what a failure means wherever a step says nothing else. */
  public void strategy(Strategy strategy) {
    requireOpen();
    if (strategy == null) {
      problem("the pipeline's strategy is null: name one, or none");
    } else {
      this.strategy = strategy;
    }
  }

  Strategies strategies() {
    Map<String, Strategy> steps = new HashMap<>();
    nodes.forEach(node -> node.options().strategy().ifPresent(said -> steps.put(node.key, said)));
    return new Strategies(strategy, steps);
  }

  /** Adds a barrier, on the arm that is being wired if there is one. */
  public void barrier(String key) {
    NodeDraft source = place == null ? input : place.divert().inputs.get(0);
    add(key, NodeKind.BARRIER, TypeToken.of(Void.class), List.of(source));
  }

  /**
   * Adds a callback.
   *
   * @param given what the user gave for its body, {@code null} being a mistake
   * @param body calls the user's body
   */
  public CallbackDraft callback(
      EndCallback endCallback, @Nullable Object given, EffectBody<EndedRun> body) {
    requireOpen();
    if (given == null) {
      problem(endCallback.word() + " has no body: null is none");
    }
    CallbackDraft callback = new CallbackDraft(endCallback, given, body);
    callbacks.add(callback);
    return callback;
  }

  /** Notes a mistake if events cannot be called so. */
  public void requireEventType(@Nullable String type) {
    if (type == null
        || type.isBlank()
        || type.length() > LONGEST_EVENT_TYPE
        || type.chars().anyMatch(Character::isISOControl)) {
      problem("publish has no type: give 1 to 200 characters, without control characters");
    }
  }

  List<CallbackDraft> callbacks() {
    return callbacks;
  }

  NodeDraft add(
      String key,
      NodeKind kind,
      TypeToken<?> type,
      List<NodeDraft> inputs,
      StepDefinition.Body body) {
    requireOpen();
    String named = key == null ? nameless(kind) : key;
    boolean untyped = type == null || type.type() == null;
    if (untyped) {
      problem("\"" + named + "\" has no type: say of which its value is");
    }
    TypeToken<?> typed = untyped ? TypeToken.of(Void.class) : type;
    NodeDraft node = new NodeDraft(this, named, kind, typed, inputs, body);
    nodes.add(node);
    return node;
  }

  /** Adds a node that has no body. */
  NodeDraft add(String key, NodeKind kind, TypeToken<?> type, List<NodeDraft> inputs) {
    return add(key, kind, type, inputs, FlowDraft::noBody);
  }

  private static Object noBody(List<?> inputs, StepContext ctx) {
    throw new IllegalStateException("This node has no body");
  }

  private String nameless(NodeKind kind) {
    problem("a node (" + kind.name().toLowerCase(Locale.ROOT) + ") has no key: give it one");
    return "nameless:" + nodes.size();
  }

  /** Notes a mistake, to be listed with the others. */
  void problem(String problem) {
    problems.add(problem);
  }

  /** The mistakes noted while it was wired. */
  List<String> problems() {
    return problems;
  }

  /** The arm that is being wired; {@code null} if none is. */
  NodeDraft.@Nullable ArmPlace place() {
    return place;
  }

  /** Wires an arm: all nodes that are added meanwhile are on it. */
  NodeDraft wireOn(NodeDraft.ArmPlace arm, Supplier<NodeDraft> wiring) {
    requireOpen();
    NodeDraft.ArmPlace outside = place;
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

  /** Ends the wiring, and returns all nodes with the edges that barriers stand for. */
  List<NodeDraft> close() {
    open = false;
    Barriers.connect(nodes);
    return nodes;
  }

  void requireOpen() {
    if (!open) {
      throw new IllegalStateException(
          "This pipeline is already defined. Wire and configure its nodes inside Pipeline.define.");
    }
  }
}
