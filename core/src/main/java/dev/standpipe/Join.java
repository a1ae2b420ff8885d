package dev.standpipe;

import dev.standpipe.internal.define.Bodies;
import dev.standpipe.internal.define.NodeDraft;
import java.util.List;

/**
 * Several values brought together: a step on them starts when the last is there. Made by {@link
 * Node#join} and {@link Node#all}.
 *
 * <p>The value of a node that was skipped is {@code null}, in its place. A step all of whose inputs
 * were skipped is skipped itself.
 */
public final class Join {
  private Join() {}

  /** Two values, for one step. */
  public static final class Two<A, B> {
    private final List<NodeDraft> inputs;

    Two(List<NodeDraft> inputs) {
      this.inputs = inputs;
    }

    /** Adds a step that gets the values. */
    public <R> Node<R> step(
        String key, Class<R> type, Function2<? super A, ? super B, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step that gets the values and the context. */
    public <R> Node<R> step(
        String key, Class<R> type, Body2<? super A, ? super B, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step with a generic result that gets the values. */
    public <R> Node<R> step(
        String key, TypeToken<R> type, Function2<? super A, ? super B, ? extends R> body) {
      return add(key, type, body);
    }

    /** Adds a step with a generic result that gets the values and the context. */
    public <R> Node<R> step(
        String key, TypeToken<R> type, Body2<? super A, ? super B, ? extends R> body) {
      return add(key, type, body);
    }

    private <R> Node<R> add(
        String key, TypeToken<R> type, Body2<? super A, ? super B, ? extends R> body) {
      Bodies.require(inputs, key, body);
      return new Node<>(
          Bodies.join(
              inputs,
              key,
              type,
              (inputs, ctx) ->
                  body.run(Bodies.<A>input(inputs, 0), Bodies.<B>input(inputs, 1), ctx)));
    }

    /** A step body on two values. */
    @FunctionalInterface
    public interface Function2<A, B, R> extends Body2<A, B, R> {
      /** Runs the step. */
      R run(A a, B b) throws Exception;

      @Override
      default R run(A a, B b, StepContext ctx) throws Exception {
        return run(a, b);
      }
    }

    /** A step body on two values and the context. */
    @FunctionalInterface
    public interface Body2<A, B, R> {
      /** Runs the step. */
      R run(A a, B b, StepContext ctx) throws Exception;
    }
  }

  /** Three values, for one step. */
  public static final class Three<A, B, C> {
    private final List<NodeDraft> inputs;

    Three(List<NodeDraft> inputs) {
      this.inputs = inputs;
    }

    /** Adds a step that gets the values. */
    public <R> Node<R> step(
        String key, Class<R> type, Function3<? super A, ? super B, ? super C, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step that gets the values and the context. */
    public <R> Node<R> step(
        String key, Class<R> type, Body3<? super A, ? super B, ? super C, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step with a generic result that gets the values. */
    public <R> Node<R> step(
        String key,
        TypeToken<R> type,
        Function3<? super A, ? super B, ? super C, ? extends R> body) {
      return add(key, type, body);
    }

    /** Adds a step with a generic result that gets the values and the context. */
    public <R> Node<R> step(
        String key, TypeToken<R> type, Body3<? super A, ? super B, ? super C, ? extends R> body) {
      return add(key, type, body);
    }

    private <R> Node<R> add(
        String key, TypeToken<R> type, Body3<? super A, ? super B, ? super C, ? extends R> body) {
      Bodies.require(inputs, key, body);
      return new Node<>(
          Bodies.join(
              inputs,
              key,
              type,
              (inputs, ctx) ->
                  body.run(
                      Bodies.<A>input(inputs, 0),
                      Bodies.<B>input(inputs, 1),
                      Bodies.<C>input(inputs, 2),
                      ctx)));
    }

    /** A step body on three values. */
    @FunctionalInterface
    public interface Function3<A, B, C, R> extends Body3<A, B, C, R> {
      /** Runs the step. */
      R run(A a, B b, C c) throws Exception;

      @Override
      default R run(A a, B b, C c, StepContext ctx) throws Exception {
        return run(a, b, c);
      }
    }

    /** A step body on three values and the context. */
    @FunctionalInterface
    public interface Body3<A, B, C, R> {
      /** Runs the step. */
      R run(A a, B b, C c, StepContext ctx) throws Exception;
    }
  }

  /** Four values, for one step. */
  public static final class Four<A, B, C, D> {
    private final List<NodeDraft> inputs;

    Four(List<NodeDraft> inputs) {
      this.inputs = inputs;
    }

    /** Adds a step that gets the values. */
    public <R> Node<R> step(
        String key,
        Class<R> type,
        Function4<? super A, ? super B, ? super C, ? super D, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step that gets the values and the context. */
    public <R> Node<R> step(
        String key,
        Class<R> type,
        Body4<? super A, ? super B, ? super C, ? super D, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step with a generic result that gets the values. */
    public <R> Node<R> step(
        String key,
        TypeToken<R> type,
        Function4<? super A, ? super B, ? super C, ? super D, ? extends R> body) {
      return add(key, type, body);
    }

    /** Adds a step with a generic result that gets the values and the context. */
    public <R> Node<R> step(
        String key,
        TypeToken<R> type,
        Body4<? super A, ? super B, ? super C, ? super D, ? extends R> body) {
      return add(key, type, body);
    }

    private <R> Node<R> add(
        String key,
        TypeToken<R> type,
        Body4<? super A, ? super B, ? super C, ? super D, ? extends R> body) {
      Bodies.require(inputs, key, body);
      return new Node<>(
          Bodies.join(
              inputs,
              key,
              type,
              (inputs, ctx) ->
                  body.run(
                      Bodies.<A>input(inputs, 0),
                      Bodies.<B>input(inputs, 1),
                      Bodies.<C>input(inputs, 2),
                      Bodies.<D>input(inputs, 3),
                      ctx)));
    }

    /** A step body on four values. */
    @FunctionalInterface
    public interface Function4<A, B, C, D, R> extends Body4<A, B, C, D, R> {
      /** Runs the step. */
      R run(A a, B b, C c, D d) throws Exception;

      @Override
      default R run(A a, B b, C c, D d, StepContext ctx) throws Exception {
        return run(a, b, c, d);
      }
    }

    /** A step body on four values and the context. */
    @FunctionalInterface
    public interface Body4<A, B, C, D, R> {
      /** Runs the step. */
      R run(A a, B b, C c, D d, StepContext ctx) throws Exception;
    }
  }

  /** Any number of values of one type, for one step. */
  public static final class All<T> {
    private final List<NodeDraft> inputs;

    All(List<NodeDraft> inputs) {
      this.inputs = inputs;
    }

    /** Adds a step that gets the values as a list. */
    public <R> Node<R> step(
        String key, Class<R> type, StepFunction<? super List<T>, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step that gets the values as a list, and the context. */
    public <R> Node<R> step(
        String key, Class<R> type, StepBody<? super List<T>, ? extends R> body) {
      return step(key, TypeToken.of(type), body);
    }

    /** Adds a step with a generic result that gets the values as a list. */
    public <R> Node<R> step(
        String key, TypeToken<R> type, StepFunction<? super List<T>, ? extends R> body) {
      return add(key, type, body);
    }

    /** Adds a step with a generic result that gets the values as a list, and the context. */
    public <R> Node<R> step(
        String key, TypeToken<R> type, StepBody<? super List<T>, ? extends R> body) {
      return add(key, type, body);
    }

    private <R> Node<R> add(
        String key, TypeToken<R> type, StepBody<? super List<T>, ? extends R> body) {
      Bodies.require(inputs, key, body);
      return new Node<>(
          Bodies.join(
              inputs,
              key,
              type,
              Bodies.joining(body, (values, ctx) -> body.run(Bodies.<T>list(values), ctx))));
    }
  }
}
