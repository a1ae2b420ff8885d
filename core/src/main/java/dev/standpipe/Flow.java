package dev.standpipe;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.define.FlowDraft;
import dev.standpipe.outbox.EventOptions;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The place where a pipeline's nodes are wired, open only inside {@link Pipeline#define}. Not
 * thread-safe.
 *
 * @param <I> the run's input
 */
public final class Flow<I> {
  private final FlowDraft draft;
  private final Node<I> input;

  Flow(FlowDraft draft) {
    this.draft = draft;
    this.input = new Node<>(draft.input());
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
    draft.strategy(strategy);
  }

  /**
   * Parts the nodes declared before it from the nodes declared after it: no node after it starts
   * before every node before it has ended, elements of expands included. On an arm of a divert, it
   * parts the nodes on that arm.
   *
   * @param key identifies the barrier for good; unique in the pipeline
   */
  public void barrier(String key) {
    draft.barrier(key);
  }

  /**
   * Runs this body when a run has succeeded: durably, dispatched exactly once for each end, and
   * retried like a step. Its failure never changes how the run has ended.
   */
  public Callback onSuccess(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_SUCCESS, body);
  }

  /** Runs this body, which needs no context, when a run has succeeded. */
  public Callback onSuccess(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_SUCCESS, body);
  }

  /**
   * Runs this body when a failure has ended a run: durably, dispatched exactly once for each end,
   * and retried like a step. Its failure never changes how the run has ended.
   */
  public Callback onFailure(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_FAILURE, body);
  }

  /** Runs this body, which needs no context, when a failure has ended a run. */
  public Callback onFailure(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_FAILURE, body);
  }

  /**
   * Runs this body when a run was halted: durably, dispatched exactly once for each end, and
   * retried like a step. Its failure never changes how the run has ended.
   */
  public Callback onHalt(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_HALT, body);
  }

  /** Runs this body, which needs no context, when a run was halted. */
  public Callback onHalt(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_HALT, body);
  }

  /**
   * Runs this body however a run has ended, canceled and skipped included: durably, dispatched
   * exactly once for each end, and retried like a step. Its failure never changes how the run has
   * ended.
   */
  public Callback onComplete(EffectBody<? super RunEnd> body) {
    return add(EndCallback.ON_COMPLETE, body);
  }

  /** Runs this body, which needs no context, however a run has ended. */
  public Callback onComplete(Effect<? super RunEnd> body) {
    return add(EndCallback.ON_COMPLETE, body);
  }

  /**
   * Emits an event however a run has ended, exactly once for each end: its type is this one, a dot
   * and the status, such as {@code order.succeeded} or {@code order.canceled}; its subject is the
   * run's id, its topic the pipeline's name. The payload tells run, pipeline, status, and why and
   * where the run was halted. What a step has to tell, it emits itself: {@link StepContext#emit}.
   */
  public Callback publish(String type) {
    EffectBody<RunEnd> body =
        (end, ctx) -> {
          String status = end.status().name().toLowerCase(Locale.ROOT);
          Map<String, String> told = new TreeMap<>();
          told.put("run", end.run().toString());
          told.put("pipeline", end.pipeline());
          told.put("status", status);
          end.haltReason()
              .ifPresent(why -> told.put("haltReason", why.name().toLowerCase(Locale.ROOT)));
          end.haltNode().ifPresent(node -> told.put("haltNode", node));
          EventOptions about = EventOptions.subject(end.run().toString()).withTopic(end.pipeline());
          ctx.emit(type + "." + status, told, about);
        };
    draft.requireEventType(type);
    return add(EndCallback.PUBLISH, body);
  }

  private Callback add(EndCallback endCallback, EffectBody<? super RunEnd> body) {
    return new Callback(
        draft.callback(endCallback, body, (ended, ctx) -> body.run(new RunEnd(ended, ctx), ctx)));
  }
}
