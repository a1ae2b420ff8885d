package dev.standpipe;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategies;
import dev.standpipe.definition.Strategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
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
  private final List<String> problems = new ArrayList<>();
  private final Node<I> input;
  private final List<DivertDraft> diverts = new ArrayList<>();
  private final List<Callback> callbacks = new ArrayList<>();
  private Draft.@Nullable ArmPlace place;
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
    if (strategy == null) {
      problem("the pipeline's strategy is null: name one, or none");
    } else {
      this.strategy = strategy;
    }
  }

  Strategies strategies() {
    Map<String, Strategy> steps = new HashMap<>();
    drafts.forEach(draft -> draft.strategy().ifPresent(said -> steps.put(draft.key, said)));
    return new Strategies(strategy, steps);
  }

  /**
   * Parts what is declared before from what is declared after: nothing after it starts before
   * everything before it has ended, elements of expands included. On an arm of a divert, it parts
   * what is on that arm.
   *
   * @param key identifies the barrier for good; unique in the pipeline
   */
  public void barrier(String key) {
    Draft source = place == null ? input.draft : place.divert().inputs.get(0);
    add(key, NodeKind.BARRIER, TypeToken.of(Void.class), List.of(source));
  }

  /**
   * Has this done when a run has succeeded: durably, dispatched exactly once for each end, and
   * retried like a step. Its failure never changes how the run has ended.
   */
  public Callback onSuccess(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_SUCCESS, body);
  }

  /** Has this done when a run has succeeded; it needs no context. */
  public Callback onSuccess(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_SUCCESS, body);
  }

  /**
   * Has this done when a failure has ended a run: durably, dispatched exactly once for each end,
   * and retried like a step. Its failure never changes how the run has ended.
   */
  public Callback onFailure(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_FAILURE, body);
  }

  /** Has this done when a failure has ended a run; it needs no context. */
  public Callback onFailure(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_FAILURE, body);
  }

  /**
   * Has this done when a run was halted: durably, dispatched exactly once for each end, and retried
   * like a step. Its failure never changes how the run has ended.
   */
  public Callback onHalt(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_HALT, body);
  }

  /** Has this done when a run was halted; it needs no context. */
  public Callback onHalt(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_HALT, body);
  }

  /**
   * Has this done however a run has ended, canceled and skipped included: durably, dispatched
   * exactly once for each end, and retried like a step. Its failure never changes how the run has
   * ended.
   */
  public Callback onComplete(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_COMPLETE, body);
  }

  /** Has this done however a run has ended, canceled and skipped included; it needs no context. */
  public Callback onComplete(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_COMPLETE, body);
  }

  private Callback add(EndCallback endCallback, EffectBody<? super RunEnd> body) {
    requireOpen();
    if (body == null) {
      problem(endCallback.word() + " has no body: null is none");
    }
    Callback callback = new Callback(endCallback, body);
    callbacks.add(callback);
    return callback;
  }

  List<Callback> callbacks() {
    return callbacks;
  }

  Draft add(
      String key, NodeKind kind, TypeToken<?> type, List<Draft> inputs, StepDefinition.Body body) {
    requireOpen();
    String named = key == null ? nameless(kind) : key;
    boolean untyped = type == null || type.isMissing();
    if (untyped) {
      problem("\"" + named + "\" has no type: say of which its value is");
    }
    TypeToken<?> typed = untyped ? TypeToken.of(Void.class) : type;
    Draft draft = new Draft(this, named, kind, typed, inputs, body);
    drafts.add(draft);
    return draft;
  }

  private String nameless(NodeKind kind) {
    problem("a node (" + kind.name().toLowerCase(Locale.ROOT) + ") has no key: give it one");
    return "nameless:" + drafts.size();
  }

  /** Notes a mistake, to be listed with the others. */
  void problem(String problem) {
    problems.add(problem);
  }

  /** The mistakes noted while it was wired. */
  List<String> problems() {
    return problems;
  }

  /** Where what is wired now is written; {@code null} if on no arm. */
  Draft.@Nullable ArmPlace place() {
    return place;
  }

  /** Wires an arm: all that is added meanwhile is on it. */
  Draft wireOn(Draft.ArmPlace arm, Supplier<Draft> wiring) {
    requireOpen();
    Draft.ArmPlace outside = place;
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
    Barriers.connect(drafts);
    return drafts;
  }

  void requireOpen() {
    if (!open) {
      throw new IllegalStateException(
          "This pipeline is already defined. Wire and configure its nodes inside Pipeline.define.");
    }
  }

  /** Adds a node that has no body. */
  Draft add(String key, NodeKind kind, TypeToken<?> type, List<Draft> inputs) {
    return add(key, kind, type, inputs, Flow::noBody);
  }

  private static Object noBody(List<?> inputs, StepContext ctx) {
    throw new IllegalStateException("This node has no body");
  }
}
