package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A typed value in a pipeline: the run's input, or what a step makes of it. Wire nodes inside
 * {@link Pipeline#define}; several steps from one node run side by side.
 *
 * @param <T> the type of the value
 */
public final class Node<T> {
  final Draft draft;

  Node(Draft draft) {
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
    return step(key, type, (input, ctx) -> body.run(input));
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
    return expand(key, type, (input, ctx) -> body.run(input));
  }

  /**
   * Adds an expand whose elements are read from a stream and go in a chunk at a time, so that there
   * may be more of them than fit into memory; steps for the first run while the last are read. A
   * body that is interrupted is run again: it must return the same elements in the same order, and
   * those that are in already are skipped. The stream is closed.
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
    StepBody<T, StepDefinition.Elements> elements = Streams.of(body);
    return new Each<>(Bodies.add(draft, key, NodeKind.EXPAND, type, elements).streamed());
  }

  /** Adds an expand from a stream with generic elements whose body needs no context. */
  public <E> Each<E> expandStream(
      String key, TypeToken<E> type, StepFunction<? super T, ? extends Stream<? extends E>> body) {
    return expandStream(key, type, (input, ctx) -> body.run(input));
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
    StepBody<T, StepDefinition.Elements> elements = Streams.of(source);
    return new Each<>(Bodies.add(draft, key, NodeKind.EXPAND, type, elements).streamed());
  }

  /**
   * Adds a step that names the arm this node's value takes. What is wired on the other arms is
   * skipped; {@link Divert.Arms#converge()} brings the arms together again.
   */
  public Divert<T> divert(String key, StepFunction<? super T, String> selector) {
    return divert(key, (input, ctx) -> selector.run(input));
  }

  /** Adds a divert whose selector needs the context. */
  public Divert<T> divert(String key, StepBody<? super T, String> selector) {
    return new Divert<>(new DivertDraft(draft, key, selector));
  }

  /** Starts this step only after these nodes have ended too, without getting their values. */
  public Node<T> after(Node<?>... nodes) {
    draft.after(nodes);
    return this;
  }

  /** Says what happens when this step's body throws; {@link Retry#standard()} by default. */
  public Node<T> retry(Retry retry) {
    draft.retry(retry);
    return this;
  }

  /** Interrupts and fails an attempt that runs longer; it counts as a failed attempt. */
  public Node<T> timeout(Duration timeout) {
    draft.timeout(timeout);
    return this;
  }

  /**
   * How many processes may die running this step before it is quarantined, 3 to 1000; by default
   * what {@link StandpipeBuilder#crashLimit} says.
   */
  public Node<T> crashLimit(int most) {
    draft.crashLimit(most);
    return this;
  }

  /** Brings two values together for one step. */
  public static <A, B> Join.Two<A, B> join(Node<A> a, Node<B> b) {
    return new Join.Two<>(a.draft, b.draft);
  }

  /** Brings three values together for one step. */
  public static <A, B, C> Join.Three<A, B, C> join(Node<A> a, Node<B> b, Node<C> c) {
    return new Join.Three<>(a.draft, b.draft, c.draft);
  }

  /** Brings four values together for one step. */
  public static <A, B, C, D> Join.Four<A, B, C, D> join(
      Node<A> a, Node<B> b, Node<C> c, Node<D> d) {
    return new Join.Four<>(a.draft, b.draft, c.draft, d.draft);
  }

  /** Brings any number of values of one type together for one step, in the order given. */
  public static <T> Join.All<T> all(List<? extends Node<? extends T>> nodes) {
    return new Join.All<>(nodes.stream().map(node -> node.draft).toList());
  }
}
