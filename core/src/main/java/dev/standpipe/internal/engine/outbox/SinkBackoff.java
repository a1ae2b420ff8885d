package dev.standpipe.internal.engine.outbox;

import dev.standpipe.outbox.SinkPolicy;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How long to wait after failures: twice as long after each, with jitter. */
final class SinkBackoff {
  private static final int MOST_DOUBLINGS = 40;

  private final SinkPolicy policy;
  private final DoubleSupplier dice;

  /**
   * By this policy.
   *
   * @param dice numbers from 0 to 1
   */
  SinkBackoff(SinkPolicy policy, DoubleSupplier dice) {
    this.policy = policy;
    this.dice = dice;
  }

  /** After so many failures in a row, at least one. */
  Duration after(int failures) {
    double doubled = Math.pow(2, Math.min(failures - 1, MOST_DOUBLINGS));
    double nanos =
        Math.min(
            (double) policy.firstPause().toNanos() * doubled,
            (double) policy.longestPause().toNanos());
    return Duration.ofNanos((long) (nanos * (0.8 + 0.4 * dice.getAsDouble())));
  }
}
