package dev.standpipe.error;

/** There is no schedule of this name. */
public final class UnknownScheduleException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** None has the name. */
  public UnknownScheduleException(String name) {
    super(
        ErrorCode.UNKNOWN_SCHEDULE,
        "There is no schedule \"%s\": list them for their names. Nothing was changed."
            .formatted(name));
  }
}
