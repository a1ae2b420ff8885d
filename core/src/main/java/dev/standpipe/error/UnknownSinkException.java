package dev.standpipe.error;

/** There is no sink of this name. */
public final class UnknownSinkException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** None has the name. */
  public UnknownSinkException(String name) {
    super(
        ErrorCode.UNKNOWN_SINK,
        "There is no sink \"%s\": list them for their names. Nothing was changed.".formatted(name));
  }
}
