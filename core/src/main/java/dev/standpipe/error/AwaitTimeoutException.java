package dev.standpipe.error;

import java.time.Duration;
import java.util.UUID;

/** A run did not end within the time given to {@code await}. The run goes on. */
public final class AwaitTimeoutException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says where the run is, and what to do about it. */
  public AwaitTimeoutException(UUID run, Duration waited, String whereabouts) {
    super(
        ErrorCode.AWAIT_TIMEOUT,
        "Run %s has not ended within %s. %s It goes on; call await again to keep waiting."
            .formatted(run, waited, whereabouts));
  }
}
