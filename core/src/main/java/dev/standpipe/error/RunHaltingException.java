package dev.standpipe.error;

import java.util.UUID;

/** The run has not ended yet: some of its steps are still running, and nothing new starts. */
public final class RunHaltingException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public RunHaltingException(UUID run) {
    super(
        ErrorCode.RUN_HALTING,
        "Run " + run + " is still halting: try again when its last running steps have ended");
  }
}
