package dev.standpipe;

import dev.standpipe.internal.define.CallbackDraft;
import java.time.Duration;

/**
 * What a pipeline does when one of its runs has ended: one step in a run of its own, with retries
 * and everything else a step has. Its failure never changes how the run has ended.
 */
public final class Callback {
  private final CallbackDraft callback;

  Callback(CallbackDraft callback) {
    this.callback = callback;
  }

  /** Says what happens when its body throws; {@link Retry#standard()} by default. */
  public Callback retry(Retry retry) {
    callback.options().retry(retry);
    return this;
  }

  /** Interrupts and fails an attempt that runs longer; it counts as a failed attempt. */
  public Callback timeout(Duration timeout) {
    callback.options().timeout(timeout);
    return this;
  }
}
