package dev.standpipe.error;

import dev.standpipe.info.StepId;

/** The step is not in quarantine: it never was, or somebody has released or discarded it. */
public final class NotQuarantinedException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public NotQuarantinedException(StepId step) {
    super(
        ErrorCode.NOT_QUARANTINED,
        "Step "
            + step
            + " is not in quarantine. List those that are; the table audit tells who released or discarded it.");
  }
}
