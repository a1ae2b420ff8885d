package dev.standpipe;

import java.time.Duration;

/**
 * What a step body throws to be run again later without having failed; made by {@link
 * Retry#after(Duration)}.
 */
public final class Snooze extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final Duration delay;

  Snooze(Duration delay) {
    super("Try again after " + delay, null, false, false);
    this.delay = delay;
  }

  /** How long the step waits, by the database's clock. */
  public Duration delay() {
    return delay;
  }
}
