package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes the types off step bodies, whose inputs the engine knows only as decoded objects. */
final class Bodies {
  private Bodies() {}

  static <T, R> Draft add(
      Draft input, String key, NodeKind kind, TypeToken<?> type, StepBody<T, R> body) {
    return input.flow.add(
        key,
        kind,
        type,
        List.of(input),
        (inputs, ctx) -> body.run(Bodies.<T>input(inputs, 0), ctx));
  }

  /** A collapse gets its values page by page; its body wants them as a list. */
  static <T, R> Draft collapse(
      Draft input, String key, TypeToken<?> type, StepBody<? super List<T>, R> body) {
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
    Draft delay = pass(input, key);
    delay.waitFor((now, inputs) -> Duration.between(now, when.run(Bodies.<T>input(inputs, 0))));
    return delay;
  }

  /** A call is not tried again unless asked for: the called run has tried its steps. */
  static Draft call(Draft input, String key, Pipeline<?, ?> pipeline) {
    Draft call = input.flow.add(key, NodeKind.CALL, pipeline.outputType(), List.of(input));
    call.calls(pipeline);
    call.retry(Retry.never());
    return call;
  }

  static <R> Node<R> join(
      List<Draft> inputs, String key, TypeToken<R> type, StepDefinition.Body body) {
    if (inputs.isEmpty()) {
      throw new JoinOfNothing(key);
    }
    return new Node<>(inputs.get(0).flow.add(key, NodeKind.STEP, type, inputs, body));
  }

  /** Has no node, and so no flow to note the problem with: {@link Pipeline#define} does. */
  static final class JoinOfNothing extends StandpipeException {
    private static final long serialVersionUID = 1L;

    JoinOfNothing(String key) {
      super(
          ErrorCode.INVALID_DEFINITION,
          "step \"" + key + "\" joins nothing: give Node.all at least one node");
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
