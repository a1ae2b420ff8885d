package dev.standpipe.internal.define;

import dev.standpipe.EffectBody;
import dev.standpipe.ElementSource;
import dev.standpipe.LoopBody;
import dev.standpipe.Pipeline;
import dev.standpipe.Reducer;
import dev.standpipe.Retry;
import dev.standpipe.StepBody;
import dev.standpipe.StepDefinition;
import dev.standpipe.StepFunction;
import dev.standpipe.TransactionalBody;
import dev.standpipe.TransactionalEffect;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.NodeKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Takes the types off step bodies, whose inputs the engine knows only as decoded objects. */
public final class Bodies {
  private Bodies() {}

  /** A node that follows another. */
  public static <T, R> NodeDraft add(
      NodeDraft input, String key, NodeKind kind, TypeToken<?> type, StepBody<T, R> body) {
    require(input, key, body);
    if (kind == NodeKind.EXPAND) {
      requireNoTransaction(input, key, body);
    }
    return input.flow.add(
        key,
        kind,
        type,
        List.of(input),
        joining(body, (inputs, ctx) -> body.run(Bodies.<T>input(inputs, 0), ctx)));
  }

  /** Code that runs a body of the user's, transactional if that is. */
  public static StepDefinition.Body joining(@Nullable Object body, StepDefinition.Body code) {
    if (body instanceof TransactionalBody || body instanceof TransactionalEffect) {
      StepDefinition.JoiningBody joining = code::run;
      return joining;
    }
    return code;
  }

  /** Notes with its flow that a node's body wants a transaction that the node cannot have. */
  static void requireNoTransaction(NodeDraft input, String key, @Nullable Object body) {
    if (body instanceof TransactionalBody) {
      input.flow.problem(
          "\""
              + key
              + "\" cannot be transactional: write in a transactional step before or after it");
    }
  }

  /** A step without a value. */
  public static <T> NodeDraft effect(NodeDraft input, String key, EffectBody<T> body) {
    require(input, key, body);
    return input.flow.add(
        key,
        NodeKind.STEP,
        TypeToken.of(Void.class),
        List.of(input),
        joining(
            body,
            (inputs, ctx) -> {
              body.run(Bodies.<T>input(inputs, 0), ctx);
              return null;
            }));
  }

  /** An expand whose elements come from a stream. */
  public static <T> NodeDraft stream(
      NodeDraft input,
      String key,
      TypeToken<?> type,
      StepBody<? super T, ? extends Stream<?>> body) {
    require(input, key, body);
    requireNoTransaction(input, key, body);
    StepBody<T, StepDefinition.Elements> elements = Streams.of(body);
    return add(input, key, NodeKind.EXPAND, type, elements).streamed();
  }

  /** An expand whose elements come from a source. */
  public static <T> NodeDraft source(
      NodeDraft input, String key, TypeToken<?> type, ElementSource<? super T, ?> source) {
    require(input, key, source);
    StepBody<T, StepDefinition.Elements> elements = Streams.of(source);
    return add(input, key, NodeKind.EXPAND, type, elements).streamed();
  }

  /** Notes with its flow that a node has no code. */
  static void require(NodeDraft input, String key, @Nullable Object body) {
    if (body == null) {
      input.flow.problem("\"" + key + "\" has no body: null is none");
    }
  }

  /** The same for a join, which has no flow if it joins no node. */
  public static void require(List<NodeDraft> inputs, String key, @Nullable Object body) {
    if (!inputs.isEmpty()) {
      require(inputs.get(0), key, body);
    }
  }

  /** The nodes to be joined, none of which may be {@code null}. */
  public static List<NodeDraft> joined(List<@Nullable NodeDraft> nodes) {
    List<NodeDraft> joined = new ArrayList<>();
    for (NodeDraft node : nodes) {
      if (node == null) {
        throw new FlowDraft.WiringException("a join is given null in the place of a node");
      }
      joined.add(node);
    }
    return joined;
  }

  /** A collapse gets its values page by page; its body wants them as a list. */
  public static <T, R> NodeDraft collapse(
      NodeDraft input, String key, TypeToken<?> type, StepBody<? super List<T>, R> body) {
    require(input, key, body);
    StepBody<Iterable<T>, R> listed =
        (values, ctx) -> {
          List<T> list = new ArrayList<>();
          values.forEach(list::add);
          return body.run(list, ctx);
        };
    if (body instanceof TransactionalBody) {
      TransactionalBody<Iterable<T>, R> joining = listed::run;
      return add(input, key, NodeKind.COLLAPSE, type, joining);
    }
    return add(input, key, NodeKind.COLLAPSE, type, listed);
  }

  /** A collapse that adds one value after the other. */
  public static <T, R> NodeDraft reduce(
      NodeDraft input,
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

  /** A node that passes its input's value on after this time. */
  public static NodeDraft delay(NodeDraft input, String key, Duration time) {
    NodeDraft delay = pass(input, key);
    delay.options().delay(time);
    return delay;
  }

  private static NodeDraft pass(NodeDraft input, String key) {
    return add(input, key, NodeKind.DELAY, input.type, (value, ctx) -> value);
  }

  /** A node that passes its input's value on at an instant that the value tells. */
  public static <T> NodeDraft delayUntil(
      NodeDraft input, String key, StepFunction<? super T, Instant> when) {
    require(input, key, when);
    NodeDraft delay = pass(input, key);
    delay
        .options()
        .waitFor((now, inputs) -> Duration.between(now, when.run(Bodies.<T>input(inputs, 0))));
    return delay;
  }

  /** A loop; whether there is another turn, the engine reads from what the body returns. */
  public static <S, R> NodeDraft loop(
      NodeDraft input, String key, TypeToken<?> type, LoopBody<S, R> body) {
    require(input, key, body);
    return input.flow.add(
        key,
        NodeKind.LOOP,
        type,
        List.of(input),
        (inputs, ctx) -> body.turn(Bodies.<S>input(inputs, 0), ctx));
  }

  /** A call is not tried again unless asked for: the called run has tried its steps. */
  public static NodeDraft call(NodeDraft input, String key, Pipeline<?, ?> pipeline) {
    if (pipeline == null) {
      throw new FlowDraft.WiringException(
          "the call \""
              + key
              + "\" has no pipeline: define the one it calls first; none can call itself");
    }
    NodeDraft call = input.flow.add(key, NodeKind.CALL, pipeline.outputType(), List.of(input));
    call.calls(pipeline);
    call.options().retry(Retry.never());
    return call;
  }

  /** A step that gets the values of several nodes. */
  public static NodeDraft join(
      List<NodeDraft> inputs, String key, TypeToken<?> type, StepDefinition.Body body) {
    if (inputs.isEmpty()) {
      throw new FlowDraft.WiringException(
          "step \"" + key + "\" joins nothing: give Node.all at least one node");
    }
    return inputs.get(0).flow.add(key, NodeKind.STEP, type, inputs, body);
  }

  /** The wiring is typed, and each value was decoded as its node's type, so the cast holds. */
  @SuppressWarnings({"unchecked", "NullAway", "TypeParameterUnusedInFormals"})
  public static <T> T input(List<@Nullable Object> inputs, int index) {
    return (T) inputs.get(index);
  }

  /** All values as a list; the cast holds as that of one does. */
  @SuppressWarnings({"unchecked", "NullAway"})
  public static <T> List<T> list(List<@Nullable Object> inputs) {
    return (List<T>) Collections.unmodifiableList(inputs);
  }
}
