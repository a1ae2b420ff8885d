package dev.standpipe.error;

/** No pipeline of this name is known to this database. */
public final class UnknownPipelineException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public UnknownPipelineException(String name) {
    super(
        ErrorCode.UNKNOWN_PIPELINE,
        "No process has ever served a pipeline named \""
            + name
            + "\" on this database. Check the name, or start the process that serves it once.");
  }
}
