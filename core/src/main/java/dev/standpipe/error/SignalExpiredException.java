package dev.standpipe.error;

import java.time.Duration;

/** An await got no signal in time, and has nothing to go on with. The run halts. */
public final class SignalExpiredException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says which await expired. */
  public SignalExpiredException(String await, Duration within) {
    super(
        ErrorCode.SIGNAL_EXPIRED,
        "The await \""
            + await
            + "\" got no signal within "
            + within
            + ": revive the run to wait as long again, or give the await an orElse or otherwise");
  }
}
