package dev.standpipe;

import java.time.Duration;
import java.util.UUID;

/** A run did not end within the time given to {@code await}. The run goes on. */
public final class AwaitTimeoutException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public AwaitTimeoutException(UUID run, Duration waited) {
    super(
        ErrorCode.AWAIT_TIMEOUT,
        "Run "
            + run
            + " has not ended within "
            + waited
            + ". It goes on; call await again to keep waiting.");
  }
}
