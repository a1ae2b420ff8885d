package dev.standpipe;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.error.SignalExpiredException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An await while its pipeline is being defined. Not thread-safe. */
final class AwaitDraft {
  static final Duration LONGEST_WAIT = Duration.ofDays(36_500);
  private static final String SIGNALED = "signaled";
  private static final String EXPIRED = "expired";

  final Draft draft;
  private boolean halts = true;
  private @Nullable Object otherwise;

  AwaitDraft(Draft source, String key, TypeToken<?> type) {
    this.draft =
        source.flow.add(
            key,
            NodeKind.AWAIT,
            type,
            List.of(source),
            (inputs, ctx) -> inputs.isEmpty() ? expired() : inputs.get(0));
  }

  void within(Duration longest) {
    draft.flow.requireOpen();
    if (longest == null) {
      draft.flow.problem("\"" + draft.key + "\" is given null by within(…): say how long");
      return;
    }
    if (longest.isNegative() || longest.isZero() || longest.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "An await must last longer than zero and at most 36500 days, was " + longest);
    }
    draft.within(longest);
  }

  /** Makes this its value when it expires. */
  void otherwise(@Nullable Object value) {
    draft.flow.requireOpen();
    this.halts = false;
    this.otherwise = value;
  }

  /** No signal is null, so an await that is has expired: a divert tells the two apart. */
  <S, T> Draft divert(Function<Node<S>, Node<T>> wiring) {
    DivertDraft divert = divert();
    divert.<T, T>wire(SIGNALED, signal -> signal);
    divert.<T, T>wire(EXPIRED, signal -> wiring.apply(new Node<>(draft.inputs.get(0))));
    return divert.converge(draft.type);
  }

  /** The same for each element. */
  <S, T> Draft divertEach(Function<Each<S>, Each<T>> wiring) {
    DivertDraft divert = divert();
    divert.<T, T>wireEach(SIGNALED, signal -> signal);
    divert.<T, T>wireEach(EXPIRED, signal -> wiring.apply(new Each<>(draft.inputs.get(0))));
    return divert.converge(draft.type);
  }

  private DivertDraft divert() {
    otherwise(null);
    DivertDraft divert =
        new DivertDraft(
            draft, draft.key + ":within", (value, ctx) -> value == null ? EXPIRED : SIGNALED);
    divert.halts();
    return divert;
  }

  private @Nullable Object expired() {
    if (halts) {
      throw new SignalExpiredException(draft.key, draft.within().orElse(LONGEST_WAIT));
    }
    return otherwise;
  }
}
