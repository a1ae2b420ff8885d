package dev.standpipe.error;

import java.util.UUID;

/**
 * The try that this body runs is over: its run was stopped, its process is stopping, it ran out of
 * time, or another process has its task by now. Thrown into the body, which should let it pass:
 * what the body returns would not be taken any more.
 */
public final class AttemptOverException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Names the step, and says why. */
  public AttemptOverException(UUID run, String node, int index, String why) {
    super(
        ErrorCode.ATTEMPT_OVER,
        "This try at %s/%d of run %s is over: %s. Let the body end; the step is tried again if it is still wanted"
            .formatted(node, index, run, why));
  }
}
