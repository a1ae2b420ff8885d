package dev.standpipe.schedule;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;

/**
 * How a schedule fires.
 *
 * @param missed what becomes of instants that nobody fired in time
 * @param overlap what happens while the run of an earlier instant has not ended
 * @param jitter by how much at most a run is delayed; zero to a day
 */
public record Policies(Missed missed, Overlap overlap, Duration jitter) {
  /** The latest of those missed is fired, runs may overlap, none is delayed. */
  public static final Policies USUAL = new Policies(Missed.latest(), Overlap.ALLOW, Duration.ZERO);

  /** Checks the jitter. */
  public Policies {
    if (jitter.isNegative() || jitter.compareTo(Duration.ofDays(1)) > 0) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT, "The jitter must be zero to a day, was " + jitter);
    }
  }
}
