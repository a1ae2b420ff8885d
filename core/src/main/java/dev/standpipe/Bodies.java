package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes the types off step bodies, whose inputs the engine knows only as decoded objects. */
final class Bodies {
  private Bodies() {}

  static <T, R> Draft add(
      Draft input, String key, NodeKind kind, TypeToken<?> type, StepBody<T, R> body) {
    require(input, key, body);
    return input.flow.add(
        key,
        kind,
        type,
        List.of(input),
        (inputs, ctx) -> body.run(Bodies.<T>input(inputs, 0), ctx));
  }

  /** A step without a value. */
  static <T> Draft effect(Draft input, String key, EffectBody<T> body) {
    require(input, key, body);
    return input.flow.add(
        key,
        NodeKind.STEP,
        TypeToken.of(Void.class),
        List.of(input),
        (inputs, ctx) -> {
          body.run(Bodies.<T>input(inputs, 0), ctx);
          return null;
        });
  }

  /** An expand whose elements come from a stream. */
  static <T> Draft stream(
      Draft input, String key, TypeToken<?> type, StepBody<? super T, ? extends Stream<?>> body) {
    require(input, key, body);
    StepBody<T, StepDefinition.Elements> elements = Streams.of(body);
    return add(input, key, NodeKind.EXPAND, type, elements).streamed();
  }

  /** An expand whose elements come from a source. */
  static <T> Draft source(
      Draft input, String key, TypeToken<?> type, ElementSource<? super T, ?> source) {
    require(input, key, source);
    StepBody<T, StepDefinition.Elements> elements = Streams.of(source);
    return add(input, key, NodeKind.EXPAND, type, elements).streamed();
  }

  /** Notes with its flow that a node has no code. */
  static void require(Draft input, String key, @Nullable Object body) {
    if (body == null) {
      input.flow.problem("\"" + key + "\" has no body: null is none");
    }
  }

  /** The same for what is joined, which has no flow if it is nothing. */
  static void require(List<Draft> inputs, String key, @Nullable Object body) {
    if (!inputs.isEmpty()) {
      require(inputs.get(0), key, body);
    }
  }

  /** The drafts of nodes to be joined. */
  static List<Draft> drafts(Node<?>... nodes) {
    List<Draft> drafts = new ArrayList<>();
    for (Node<?> node : nodes) {
      if (node == null) {
        throw new BrokenOff("a join is given null in the place of a node");
      }
      drafts.add(node.draft);
    }
    return drafts;
  }

  /** A collapse gets its values page by page; its body wants them as a list. */
  static <T, R> Draft collapse(
      Draft input, String key, TypeToken<?> type, StepBody<? super List<T>, R> body) {
    require(input, key, body);
    StepBody<Iterable<T>, R> listed =
        (values, ctx) -> {
          List<T> list = new ArrayList<>();
          values.forEach(list::add);
          return body.run(list, ctx);
        };
    return add(input, key, NodeKind.COLLAPSE, type, listed);
  }

  static <T, R> Draft reduce(
      Draft input,
      String key,
      TypeToken<?> type,
      Supplier<? extends R> initial,
      Reducer<R, ? super T> reducer) {
    require(input, key, initial);
    require(input, key, reducer);
    StepBody<Iterable<T>, R> one =
        (values, ctx) -> {
          R soFar = initial.get();
          for (T value : values) {
            soFar = reducer.add(soFar, value);
          }
          return soFar;
        };
    return add(input, key, NodeKind.COLLAPSE, type, one);
  }

  /** A node that passes its input's value on. */
  static Draft pass(Draft input, String key) {
    return add(input, key, NodeKind.DELAY, input.type, (value, ctx) -> value);
  }

  static <T> Draft delayUntil(Draft input, String key, StepFunction<? super T, Instant> when) {
    require(input, key, when);
    Draft delay = pass(input, key);
    delay.waitFor((now, inputs) -> Duration.between(now, when.run(Bodies.<T>input(inputs, 0))));
    return delay;
  }

  /** A call is not tried again unless asked for: the called run has tried its steps. */
  static Draft call(Draft input, String key, Pipeline<?, ?> pipeline) {
    if (pipeline == null) {
      throw new BrokenOff(
          "the call \""
              + key
              + "\" has no pipeline: define the one it calls first; none can call itself");
    }
    Draft call = input.flow.add(key, NodeKind.CALL, pipeline.outputType(), List.of(input));
    call.calls(pipeline);
    call.retry(Retry.never());
    return call;
  }

  static <R> Node<R> join(
      List<Draft> inputs, String key, TypeToken<R> type, StepDefinition.Body body) {
    if (inputs.isEmpty()) {
      throw new BrokenOff("step \"" + key + "\" joins nothing: give Node.all at least one node");
    }
    return new Node<>(inputs.get(0).flow.add(key, NodeKind.STEP, type, inputs, body));
  }

  /** A mistake with which wiring cannot go on: {@link Pipeline#define} lists it with the others. */
  static final class BrokenOff extends StandpipeException {
    private static final long serialVersionUID = 1L;

    BrokenOff(String problem) {
      super(ErrorCode.INVALID_DEFINITION, problem);
    }
  }

  /** The wiring is typed, and each value was decoded as its node's type, so the cast holds. */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  static <T> T input(List<@Nullable Object> inputs, int index) {
    return (T) inputs.get(index);
  }

  @SuppressWarnings({"unchecked", "NullAway"})
  static <T> List<T> list(List<@Nullable Object> inputs) {
    return (List<T>) Collections.unmodifiableList(inputs);
  }
}
