package dev.standpipe.error;

import dev.standpipe.RunStatus;
import java.util.Locale;
import java.util.UUID;

/** The run has ended already, or is about to, and the call needs a run that goes on. */
public final class RunEndedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  private final RunStatus status;

  /** It cannot be canceled any more. */
  public RunEndedException(UUID run, RunStatus status) {
    this(
        "Run %s %s %s: only a run that is running, paused or halting can be canceled. Nothing was changed."
            .formatted(
                run,
                status.isTerminal() ? "has already ended" : "is",
                status.name().toLowerCase(Locale.ROOT)),
        status);
  }

  private RunEndedException(String message, RunStatus status) {
    super(ErrorCode.RUN_ENDED, message);
    this.status = status;
  }

  /** It takes no signals any more. */
  public static RunEndedException takesNoSignals(UUID run, RunStatus status) {
    return new RunEndedException(
        "Run %s is %s: only a run that is running takes signals. Revive it first if it was stopped."
            .formatted(run, status.name().toLowerCase(Locale.ROOT)),
        status);
  }

  /** Nothing of it starts any more that could be held up. */
  public static RunEndedException cannotBePaused(UUID run, RunStatus status) {
    return new RunEndedException(
        "Run %s is %s: only a run that is running or waiting can be paused. Nothing was changed."
            .formatted(run, status.name().toLowerCase(Locale.ROOT)),
        status);
  }

  /** How it ended. */
  public RunStatus status() {
    return status;
  }
}
