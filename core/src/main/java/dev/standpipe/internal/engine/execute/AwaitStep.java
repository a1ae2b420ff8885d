package dev.standpipe.internal.engine.execute;

import dev.standpipe.StepContext;
import dev.standpipe.StepDefinition;
import dev.standpipe.internal.port.Signals;
import dev.standpipe.internal.port.Signals.AwaitedSignal;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.PayloadCodec;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Runs an await, which has no body: looks for its signal. The first time there may be none, and the
 * await begins to wait; a process takes it up again when there is a signal, or when its time is
 * over.
 */
final class AwaitStep {
  private final Signals signals;
  private final PayloadCodec codec;

  AwaitStep(Signals signals, PayloadCodec codec) {
    this.signals = signals;
    this.codec = codec;
  }

  Outcome.AttemptEnding look(Attempt attempt, StepDefinition step, StepContext context)
      throws Exception {
    AwaitedSignal found;
    try {
      Optional<AwaitedSignal> there = find(attempt, step);
      if (there.isEmpty()) {
        return new Outcome.Waits(step.within());
      }
      found = there.get();
    } catch (StoreException e) { // not the await's fault
      return new Outcome.GivenBack();
    }
    String value = found.value();
    List<@Nullable Object> signal =
        value == null
            ? List.of()
            : Collections.singletonList(codec.decode(value, step.type().type()));
    Object result = step.body().run(signal, context);
    return new Outcome.Returned(List.of(codec.encode(result, step.type().type())));
  }

  /** Empty if it is to wait. */
  private Optional<AwaitedSignal> find(Attempt attempt, StepDefinition step) {
    Optional<AwaitedSignal> there = signals.find(attempt.run, attempt.vertex.key(), attempt.index);
    boolean waited = there.isPresent() && there.get().value() == null;
    if (!waited || there.get().expired()) {
      return there;
    }
    return step.within().isEmpty()
        ? Optional.empty()
        : Optional.of(signals.expire(attempt.run, attempt.vertex.key(), attempt.index));
  }
}
