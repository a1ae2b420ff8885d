package dev.standpipe;

import dev.standpipe.definition.EndCallback;
import dev.standpipe.internal.EndedRun;
import java.time.Duration;

/**
 * What a pipeline does when one of its runs has ended: one step in a run of its own, with retries
 * and everything else a step has. Its failure never changes how the run has ended.
 */
public final class Callback {
  final EndCallback endCallback;
  private final Flow<EndedRun> flow = new Flow<>(TypeToken.of(EndedRun.class));
  private final Node<Boolean> step;

  Callback(EndCallback endCallback, EffectBody<? super RunEnd> body) {
    this.endCallback = endCallback;
    this.step =
        flow.input()
            .step(
                endCallback.word(),
                Boolean.class,
                (ended, ctx) -> {
                  body.run(new RunEnd(ended, ctx), ctx);
                  return true;
                });
  }

  /** Says what happens when its body throws; {@link Retry#standard()} by default. */
  public Callback retry(Retry retry) {
    step.retry(retry);
    return this;
  }

  /** Interrupts and fails an attempt that runs longer; it counts as a failed attempt. */
  public Callback timeout(Duration timeout) {
    step.timeout(timeout);
    return this;
  }

  /** The hidden pipeline of one step. */
  Pipeline<EndedRun, Boolean> pipeline(String original) {
    return Pipeline.hidden(
        endCallback.of(original),
        TypeToken.of(EndedRun.class),
        TypeToken.of(Boolean.class),
        flow.close());
  }
}
