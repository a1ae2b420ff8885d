package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.define.AwaitDraft;
import dev.standpipe.internal.define.Bodies;
import dev.standpipe.internal.define.DivertDraft;
import dev.standpipe.internal.define.FlowDraft;
import dev.standpipe.internal.define.NodeDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A typed value per element of an expand. Steps on it run once for each element, side by side and
 * in any order; an element goes on to its next step without waiting for the others.
 *
 * <p>An {@code Each} need not be collapsed: the run then ends when every element is through.
 *
 * @param <T> the type of one element's value
 */
public sealed class Each<T> permits EachAwait {
  final NodeDraft draft;

  Each(NodeDraft draft) {
    this.draft = draft;
  }

  /** Adds a step for each element. */
  public <R> Each<R> step(String key, Class<R> type, StepBody<? super T, ? extends R> body) {
    return step(key, TypeToken.of(type), body);
  }

  /** Adds a step for each element whose body needs no context. */
  public <R> Each<R> step(String key, Class<R> type, StepFunction<? super T, ? extends R> body) {
    return step(key, TypeToken.of(type), body);
  }

  /** Adds a step for each element with a generic result. */
  public <R> Each<R> step(String key, TypeToken<R> type, StepBody<? super T, ? extends R> body) {
    return new Each<>(Bodies.add(draft, key, NodeKind.STEP, type, body));
  }

  /** Adds a step for each element with a generic result whose body needs no context. */
  public <R> Each<R> step(
      String key, TypeToken<R> type, StepFunction<? super T, ? extends R> body) {
    return new Each<>(Bodies.add(draft, key, NodeKind.STEP, type, body));
  }

  /** Adds a step for each element that is done for its effect and has no value. */
  public Each<Void> step(String key, Effect<? super T> body) {
    return new Each<>(Bodies.effect(draft, key, body));
  }

  /** Adds a step for each element that is done for its effect and needs the context. */
  public Each<Void> step(String key, EffectBody<? super T> body) {
    return new Each<>(Bodies.effect(draft, key, body));
  }

  /**
   * Adds a step for each element whose own writes to the database are committed with it: exactly
   * once if it succeeds, and not at all otherwise.
   */
  public <R> Each<R> transactional(
      String key, Class<R> type, TransactionalBody<? super T, ? extends R> body) {
    return transactional(key, TypeToken.of(type), body);
  }

  /** Adds a transactional step for each element with a generic result. */
  public <R> Each<R> transactional(
      String key, TypeToken<R> type, TransactionalBody<? super T, ? extends R> body) {
    return new Each<>(Bodies.add(draft, key, NodeKind.STEP, type, body));
  }

  /** Adds a transactional step for each element that is done for its effect and has no value. */
  public Each<Void> transactional(String key, TransactionalEffect<? super T> body) {
    return new Each<>(Bodies.effect(draft, key, body));
  }

  /**
   * Adds an expand inside: each element yields elements of its own. What the function wires runs
   * for each of those; it ends with a node that has one value for each element out here again, such
   * as a collapse.
   */
  public <E, R> Each<R> expand(
      String key,
      Class<E> type,
      StepBody<? super T, ? extends Iterable<? extends E>> body,
      Function<Each<E>, Node<R>> inside) {
    return expand(key, TypeToken.of(type), body, inside);
  }

  /** Adds an expand inside whose body needs no context. */
  public <E, R> Each<R> expand(
      String key,
      Class<E> type,
      StepFunction<? super T, ? extends Iterable<? extends E>> body,
      Function<Each<E>, Node<R>> inside) {
    return inside(Bodies.add(draft, key, NodeKind.EXPAND, TypeToken.of(type), body), inside);
  }

  /** Adds an expand inside with generic elements. */
  public <E, R> Each<R> expand(
      String key,
      TypeToken<E> type,
      StepBody<? super T, ? extends Iterable<? extends E>> body,
      Function<Each<E>, Node<R>> inside) {
    return inside(Bodies.add(draft, key, NodeKind.EXPAND, type, body), inside);
  }

  private static <E, R> Each<R> inside(NodeDraft expand, Function<Each<E>, Node<R>> inside) {
    NodeDraft end =
        expand.inside(
            elements -> {
              Node<R> last = inside == null ? null : inside.apply(new Each<>(elements));
              return last == null ? null : last.draft;
            });
    return new Each<>(end);
  }

  /**
   * Adds a step that gets the values of all elements, in element order, once the last is there. An
   * expand that yielded nothing collapses an empty list.
   */
  public <R> Node<R> collapse(
      String key, Class<R> type, StepBody<? super List<T>, ? extends R> body) {
    return collapse(key, TypeToken.of(type), body);
  }

  /** Adds a collapse whose body needs no context. */
  public <R> Node<R> collapse(
      String key, Class<R> type, StepFunction<? super List<T>, ? extends R> body) {
    return collapse(key, TypeToken.of(type), body);
  }

  /** Adds a collapse with a generic result. */
  public <R> Node<R> collapse(
      String key, TypeToken<R> type, StepBody<? super List<T>, ? extends R> body) {
    return new Node<>(Bodies.collapse(draft, key, type, body));
  }

  /** Adds a collapse with a generic result whose body needs no context. */
  public <R> Node<R> collapse(
      String key, TypeToken<R> type, StepFunction<? super List<T>, ? extends R> body) {
    return new Node<>(Bodies.collapse(draft, key, type, body));
  }

  /**
   * Adds a node that passes the value on after this time, for each element on its own, by the
   * database's clock. It holds no thread. A time below a tenth of a second, but zero, is taken for
   * a tenth.
   */
  public Each<T> delay(String key, Duration time) {
    return new Each<>(Bodies.delay(draft, key, time));
  }

  /**
   * Adds a node that passes the value on when the database's clock has come to an instant that the
   * value tells, for each element on its own; at once if that has passed. It holds no thread. The
   * function may run more than once, as a body may, and its failures are retried as a body's are.
   */
  public Each<T> delayUntil(String key, StepFunction<? super T, Instant> when) {
    return new Each<>(Bodies.delayUntil(draft, key, when));
  }

  /**
   * Runs this step only after this time, counted from when a process takes it up, which is as soon
   * as everything it depends on has ended if one has room. A retry does not wait again. Like {@link
   * #delay(String, Duration)} otherwise.
   */
  public Each<T> delay(Duration time) {
    draft.options().delay(time);
    return this;
  }

  /**
   * Adds a step for each element that names the arm its value takes. The nodes on the other arms
   * are skipped for that element; {@link EachDivert.EachArms#converge()} brings the arms together
   * again.
   */
  public EachDivert<T> divert(String key, StepFunction<? super T, String> selector) {
    return new EachDivert<>(new DivertDraft(draft, key, selector));
  }

  /** Adds a divert for each element whose selector needs the context. */
  public EachDivert<T> divert(String key, StepBody<? super T, String> selector) {
    return new EachDivert<>(new DivertDraft(draft, key, selector));
  }

  /**
   * Waits, for each element on its own, for a signal with the element's index.
   *
   * @param key identifies the await for good; unique in the pipeline
   */
  public <R> EachAwait<T, R> await(String key, Class<R> type) {
    return await(key, TypeToken.of(type));
  }

  /** Waits, for each element on its own, for a signal with a generic value. */
  public <R> EachAwait<T, R> await(String key, TypeToken<R> type) {
    return new EachAwait<>(new AwaitDraft(draft, key, type));
  }

  /** Waits, for each element on its own, for a person to approve or reject. */
  public EachAwait<T, Approval> approval(String key) {
    return await(key, Approval.class);
  }

  /**
   * Calls another pipeline for each element: a run of it on the element's value, whose result takes
   * its place. Otherwise like {@link Node#call}.
   *
   * @param key identifies the call for good; unique in the pipeline
   */
  public <R> Each<R> call(String key, Pipeline<? super T, R> pipeline) {
    return new Each<>(Bodies.call(draft, key, pipeline));
  }

  /**
   * Adds a loop for each element: a body that runs turn after turn until one says {@link
   * Loop#done}. The element's value is the state of its first turn. Like {@link Node#loop}
   * otherwise.
   *
   * @param key identifies the loop for good; unique in the pipeline
   */
  public <R> Each<R> loop(String key, Class<R> type, LoopBody<T, ? extends R> body) {
    return loop(key, TypeToken.of(type), body);
  }

  /** Adds a loop for each element with a generic value. */
  public <R> Each<R> loop(String key, TypeToken<R> type, LoopBody<T, ? extends R> body) {
    return new Each<>(Bodies.loop(draft, key, type, body));
  }

  /** How many of the last turns of each element's loop stay visible; see {@link Node#keep}. */
  public Each<T> keep(int turns) {
    draft.options().keep(turns);
    return this;
  }

  /**
   * Adds a step that brings the values of all elements together one by one, in element order, once
   * the last is there. They are read from the database a page at a time, so there may be more of
   * them than fit into memory. An expand that yielded nothing reduces to the initial value.
   *
   * @param initial makes what the first value is added to, for each attempt anew
   */
  public <R> Node<R> reduce(
      String key, Class<R> type, Supplier<? extends R> initial, Reducer<R, ? super T> reducer) {
    return reduce(key, TypeToken.of(type), initial, reducer);
  }

  /** Adds a reduce with a generic result. */
  public <R> Node<R> reduce(
      String key, TypeToken<R> type, Supplier<? extends R> initial, Reducer<R, ? super T> reducer) {
    return new Node<>(Bodies.reduce(draft, key, type, initial, reducer));
  }

  /**
   * How many elements this expand may yield: 100,000 unless it says otherwise, and 1,000 for each
   * element inside another expand. More of them halt the run with {@link HaltReason#FAN_OUT_LIMIT},
   * at once and without retries. The limits of expands inside each other multiply to at most
   * 2147483647; those inside are part of the graph. Of a loop, how many turns each element's may
   * take; see {@link Node#limit}.
   */
  public Each<T> limit(int most) {
    draft.options().limit(most);
    return this;
  }

  /**
   * How many steps of this expand's elements may be live at once; any number unless it says so. The
   * next elements go in only when there are fewer. For {@link Node#expandStream} and {@link
   * Node#expandFrom}.
   */
  public Each<T> window(int most) {
    draft.options().window(most);
    return this;
  }

  /** Says what happens when a body of this node throws, for each element on its own. */
  public Each<T> retry(Retry retry) {
    draft.options().retry(retry);
    return this;
  }

  /** Interrupts and fails an attempt that runs longer; it counts as a failed attempt. */
  public Each<T> timeout(Duration timeout) {
    draft.options().timeout(timeout);
    return this;
  }

  /**
   * Interrupts and fails an attempt whose body makes no progress for this long: it counts as timed
   * out. Progress is what the body {@link StepContext#progress reports}, every sub-step and every
   * checkpoint.
   */
  public Each<T> stallTimeout(Duration stallTimeout) {
    draft.options().stallTimeout(stallTimeout);
    return this;
  }

  /**
   * Says what it means for the run that one element's step has failed for good, instead of what
   * {@link Flow#strategy} says for the pipeline.
   */
  public Each<T> strategy(Strategy strategy) {
    draft.options().strategy(strategy);
    return this;
  }

  /**
   * Says how one element's step is undone: if the run halts or is canceled after the step has
   * succeeded, this runs on its value, durably and with the step's retries and time-out, after what
   * depends on it was undone. The run ends {@link RunStatus#COMPENSATED} or {@link
   * RunStatus#COMPENSATION_FAILED}.
   */
  public Each<T> compensate(EffectBody<? super T> body) {
    draft.options().compensate(body);
    return this;
  }

  /** Says how one element's step is undone; it needs no context. */
  public Each<T> compensate(Effect<? super T> body) {
    draft.options().compensate(body);
    return this;
  }

  /**
   * How many processes may die running one element's step before it is quarantined, 3 to 1000; by
   * default what {@link StandpipeBuilder#crashLimit} says.
   */
  public Each<T> crashLimit(int most) {
    draft.options().crashLimit(most);
    return this;
  }

  /** Takes the types off a user's function, which may be null, or return null. */
  static <T, R> FlowDraft.Wiring wiring(Function<Each<T>, Each<R>> function) {
    return source -> {
      Each<R> end = function == null ? null : function.apply(new Each<>(source));
      return end == null ? null : end.draft;
    };
  }
}
