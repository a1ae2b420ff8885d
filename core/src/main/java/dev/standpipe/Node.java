package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import dev.standpipe.internal.define.AwaitDraft;
import dev.standpipe.internal.define.Bodies;
import dev.standpipe.internal.define.DivertDraft;
import dev.standpipe.internal.define.FlowDraft;
import dev.standpipe.internal.define.NodeDraft;
import dev.standpipe.operate.Operator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A typed value in a pipeline: the run's input, or what a step makes of it. Wire nodes inside
 * {@link Pipeline#define}; several steps from one node run side by side.
 *
 * @param <T> the type of the value
 */
public sealed class Node<T> permits Await {
  final NodeDraft draft;

  Node(NodeDraft draft) {
    this.draft = draft;
  }

  /**
   * Adds a step that makes an {@code R} of this node's value.
   *
   * @param key identifies the step for good, in code and in the database; unique in the pipeline
   */
  public <R> Node<R> step(String key, Class<R> type, StepBody<? super T, ? extends R> body) {
    return step(key, TypeToken.of(type), body);
  }

  /** Adds a step whose body needs no context. */
  public <R> Node<R> step(String key, Class<R> type, StepFunction<? super T, ? extends R> body) {
    return step(key, TypeToken.of(type), body);
  }

  /** Adds a step with a generic result. */
  public <R> Node<R> step(String key, TypeToken<R> type, StepBody<? super T, ? extends R> body) {
    return new Node<>(Bodies.add(draft, key, NodeKind.STEP, type, body));
  }

  /** Adds a step with a generic result whose body needs no context. */
  public <R> Node<R> step(
      String key, TypeToken<R> type, StepFunction<? super T, ? extends R> body) {
    return new Node<>(Bodies.add(draft, key, NodeKind.STEP, type, body));
  }

  /** Adds a step that is done for its effect and has no value. */
  public Node<Void> step(String key, Effect<? super T> body) {
    return new Node<>(Bodies.effect(draft, key, body));
  }

  /** Adds a step that is done for its effect and needs the context. */
  public Node<Void> step(String key, EffectBody<? super T> body) {
    return new Node<>(Bodies.effect(draft, key, body));
  }

  /**
   * Adds a step whose own writes to the database are committed with it: exactly once if it
   * succeeds, and not at all otherwise.
   */
  public <R> Node<R> transactional(
      String key, Class<R> type, TransactionalBody<? super T, ? extends R> body) {
    return transactional(key, TypeToken.of(type), body);
  }

  /** Adds a transactional step with a generic result. */
  public <R> Node<R> transactional(
      String key, TypeToken<R> type, TransactionalBody<? super T, ? extends R> body) {
    return new Node<>(Bodies.add(draft, key, NodeKind.STEP, type, body));
  }

  /** Adds a transactional step that is done for its effect and has no value. */
  public Node<Void> transactional(String key, TransactionalEffect<? super T> body) {
    return new Node<>(Bodies.effect(draft, key, body));
  }

  /**
   * Adds a step that yields elements. What follows on the {@link Each} runs once for each of them,
   * side by side; {@link Each#collapse} brings them together again.
   */
  public <E> Each<E> expand(
      String key, Class<E> type, StepBody<? super T, ? extends Iterable<? extends E>> body) {
    return expand(key, TypeToken.of(type), body);
  }

  /** Adds an expand whose body needs no context. */
  public <E> Each<E> expand(
      String key, Class<E> type, StepFunction<? super T, ? extends Iterable<? extends E>> body) {
    return expand(key, TypeToken.of(type), body);
  }

  /** Adds an expand with generic elements. */
  public <E> Each<E> expand(
      String key, TypeToken<E> type, StepBody<? super T, ? extends Iterable<? extends E>> body) {
    return new Each<>(Bodies.add(draft, key, NodeKind.EXPAND, type, body));
  }

  /** Adds an expand with generic elements whose body needs no context. */
  public <E> Each<E> expand(
      String key,
      TypeToken<E> type,
      StepFunction<? super T, ? extends Iterable<? extends E>> body) {
    return new Each<>(Bodies.add(draft, key, NodeKind.EXPAND, type, body));
  }

  /**
   * Adds an expand whose elements are read from a stream and go in a chunk at a time, so that there
   * may be more of them than fit into memory; steps for the first run while the last are read. A
   * body that is interrupted is run again: it must return the same elements in the same order, and
   * the elements that are stored already are skipped. The stream is closed.
   */
  public <E> Each<E> expandStream(
      String key, Class<E> type, StepBody<? super T, ? extends Stream<? extends E>> body) {
    return expandStream(key, TypeToken.of(type), body);
  }

  /** Adds an expand from a stream whose body needs no context. */
  public <E> Each<E> expandStream(
      String key, Class<E> type, StepFunction<? super T, ? extends Stream<? extends E>> body) {
    return expandStream(key, TypeToken.of(type), body);
  }

  /** Adds an expand from a stream with generic elements. */
  public <E> Each<E> expandStream(
      String key, TypeToken<E> type, StepBody<? super T, ? extends Stream<? extends E>> body) {
    return new Each<>(Bodies.stream(draft, key, type, body));
  }

  /** Adds an expand from a stream with generic elements whose body needs no context. */
  public <E> Each<E> expandStream(
      String key, TypeToken<E> type, StepFunction<? super T, ? extends Stream<? extends E>> body) {
    return new Each<>(Bodies.stream(draft, key, type, body));
  }

  /**
   * Adds an expand as {@link #expandStream} does, from a source that can begin at any position:
   * nothing is read twice if it is interrupted.
   */
  public <E> Each<E> expandFrom(
      String key, Class<E> type, ElementSource<? super T, ? extends E> source) {
    return expandFrom(key, TypeToken.of(type), source);
  }

  /** Adds an expand from a source of generic elements. */
  public <E> Each<E> expandFrom(
      String key, TypeToken<E> type, ElementSource<? super T, ? extends E> source) {
    return new Each<>(Bodies.source(draft, key, type, source));
  }

  /**
   * Adds a step that names the arm this node's value takes. The nodes on the other arms are
   * skipped; {@link Divert.Arms#converge()} brings the arms together again.
   */
  public Divert<T> divert(String key, StepFunction<? super T, String> selector) {
    return new Divert<>(new DivertDraft(draft, key, selector));
  }

  /** Adds a divert whose selector needs the context. */
  public Divert<T> divert(String key, StepBody<? super T, String> selector) {
    return new Divert<>(new DivertDraft(draft, key, selector));
  }

  /**
   * Waits for a signal, {@link Standpipe#signal}, whose value this node has; holding no thread,
   * across restarts. A signal that comes early is kept. {@link Await#within} says how long.
   *
   * @param key identifies the await for good; unique in the pipeline
   */
  public <R> Await<T, R> await(String key, Class<R> type) {
    return await(key, TypeToken.of(type));
  }

  /** Waits for a signal with a generic value. */
  public <R> Await<T, R> await(String key, TypeToken<R> type) {
    return new Await<>(new AwaitDraft(draft, key, type));
  }

  /** Waits for a person to {@link Operator#approve} or {@link Operator#reject}. */
  public Await<T, Approval> approval(String key) {
    return await(key, Approval.class);
  }

  /**
   * Calls another pipeline: a run of it on this node's value, whose result this node has. The run
   * has this run's priority and labels, and is canceled with it. A process that serves this
   * pipeline serves that one too.
   *
   * <p>If the called run does not succeed, the call fails; {@link #retry} has it called anew.
   *
   * @param key identifies the call for good; unique in the pipeline
   */
  public <R> Node<R> call(String key, Pipeline<? super T, R> pipeline) {
    return new Node<>(Bodies.call(draft, key, pipeline));
  }

  /**
   * Adds a loop: a body that runs turn after turn until one says {@link Loop#done}. This node's
   * value is the state of the first turn; every later turn has the state that the turn before has
   * handed on. Each turn is committed, and has its own attempts, retries and time-out; between two
   * turns the loop holds no thread. {@link #limit} and {@link #keep} bound it.
   *
   * @param key identifies the loop for good; unique in the pipeline
   */
  public <R> Node<R> loop(String key, Class<R> type, LoopBody<T, ? extends R> body) {
    return loop(key, TypeToken.of(type), body);
  }

  /** Adds a loop with a generic value. */
  public <R> Node<R> loop(String key, TypeToken<R> type, LoopBody<T, ? extends R> body) {
    return new Node<>(Bodies.loop(draft, key, type, body));
  }

  /**
   * How many turns this loop may take: 1,000,000 unless it says otherwise. A turn that asks for one
   * more halts the run with {@link HaltReason#LOOP_LIMIT}, at once and without retries.
   */
  public Node<T> limit(int most) {
    draft.options().limit(most);
    return this;
  }

  /**
   * How many of this loop's last turns stay visible, 1 to 10,000; 10 unless it says otherwise.
   * Older ones are removed while it runs, with their failed attempts.
   */
  public Node<T> keep(int turns) {
    draft.options().keep(turns);
    return this;
  }

  /** Starts this step only after these nodes have ended too, without getting their values. */
  public Node<T> after(Node<?>... nodes) {
    draft.after(drafts(nodes));
    return this;
  }

  /**
   * Adds a node that passes the value on after this time, by the database's clock. It holds no
   * thread. A time below a tenth of a second, but zero, is taken for a tenth.
   */
  public Node<T> delay(String key, Duration time) {
    return new Node<>(Bodies.delay(draft, key, time));
  }

  /**
   * Adds a node that passes the value on when the database's clock has come to an instant that the
   * value tells; at once if that has passed. It holds no thread. The function may run more than
   * once, as a body may, and its failures are retried as a body's are.
   */
  public Node<T> delayUntil(String key, StepFunction<? super T, Instant> when) {
    return new Node<>(Bodies.delayUntil(draft, key, when));
  }

  /**
   * Runs this step only after this time, counted from when a process takes it up, which is as soon
   * as everything it depends on has ended if one has room. A retry does not wait again. Like {@link
   * #delay(String, Duration)} otherwise.
   */
  public Node<T> delay(Duration time) {
    draft.options().delay(time);
    return this;
  }

  /** Says what happens when this step's body throws; {@link Retry#standard()} by default. */
  public Node<T> retry(Retry retry) {
    draft.options().retry(retry);
    return this;
  }

  /** Interrupts and fails an attempt that runs longer; it counts as a failed attempt. */
  public Node<T> timeout(Duration timeout) {
    draft.options().timeout(timeout);
    return this;
  }

  /**
   * Interrupts and fails an attempt whose body makes no progress for this long: it counts as timed
   * out. Progress is what the body {@link StepContext#progress reports}, every sub-step and every
   * checkpoint.
   */
  public Node<T> stallTimeout(Duration stallTimeout) {
    draft.options().stallTimeout(stallTimeout);
    return this;
  }

  /**
   * Says what it means for the run that this step has failed for good, instead of what {@link
   * Flow#strategy} says for the pipeline.
   */
  public Node<T> strategy(Strategy strategy) {
    draft.options().strategy(strategy);
    return this;
  }

  /**
   * Says how this step is undone: if the run halts or is canceled after the step has succeeded,
   * this runs on its value, durably and with the step's retries and time-out, after what depends on
   * it was undone. The run ends {@link RunStatus#COMPENSATED} or {@link
   * RunStatus#COMPENSATION_FAILED}.
   */
  public Node<T> compensate(EffectBody<? super T> body) {
    draft.options().compensate(body);
    return this;
  }

  /** Says how this step is undone; it needs no context. */
  public Node<T> compensate(Effect<? super T> body) {
    draft.options().compensate(body);
    return this;
  }

  /**
   * How many processes may die running this step before it is quarantined, 3 to 1000; by default
   * what {@link StandpipeBuilder#crashLimit} says.
   */
  public Node<T> crashLimit(int most) {
    draft.options().crashLimit(most);
    return this;
  }

  /** Brings two values together for one step. */
  public static <A, B> Join.Two<A, B> join(Node<A> a, Node<B> b) {
    return new Join.Two<>(Bodies.joined(drafts(a, b)));
  }

  /** Brings three values together for one step. */
  public static <A, B, C> Join.Three<A, B, C> join(Node<A> a, Node<B> b, Node<C> c) {
    return new Join.Three<>(Bodies.joined(drafts(a, b, c)));
  }

  /** Brings four values together for one step. */
  public static <A, B, C, D> Join.Four<A, B, C, D> join(
      Node<A> a, Node<B> b, Node<C> c, Node<D> d) {
    return new Join.Four<>(Bodies.joined(drafts(a, b, c, d)));
  }

  /** Brings any number of values of one type together for one step, in the order given. */
  public static <T> Join.All<T> all(List<? extends Node<? extends T>> nodes) {
    return new Join.All<>(Bodies.joined(drafts(nodes.toArray(Node<?>[]::new))));
  }

  /** The drafts of nodes; a node that is null is a mistake, which its draft reports. */
  private static List<@Nullable NodeDraft> drafts(Node<?>... nodes) {
    List<@Nullable NodeDraft> drafts = new ArrayList<>();
    for (Node<?> node : nodes) {
      drafts.add(node == null ? null : node.draft);
    }
    return drafts;
  }

  /** Takes the types off a user's function, which may be null, or return null. */
  static <T, R> FlowDraft.Wiring wiring(Function<Node<T>, Node<R>> function) {
    return source -> {
      Node<R> end = function == null ? null : function.apply(new Node<>(source));
      return end == null ? null : end.draft;
    };
  }
}
