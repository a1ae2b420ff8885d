package dev.standpipe;

import java.util.Locale;
import java.util.UUID;

/**
 * The run has ended already, or a step has ended it early, so that it can no longer be canceled.
 */
public final class RunEndedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final RunStatus status;

  /** Says how it ended and what to do about it. */
  public RunEndedException(UUID run, RunStatus status) {
    super(
        ErrorCode.RUN_ENDED,
        "Run %s %s %s: only a run that is running or halting can be canceled. Nothing was changed."
            .formatted(
                run,
                status.isTerminal() ? "has already ended" : "is",
                status.name().toLowerCase(Locale.ROOT)));
    this.status = status;
  }

  /** How it ended. */
  public RunStatus status() {
    return status;
  }
}
