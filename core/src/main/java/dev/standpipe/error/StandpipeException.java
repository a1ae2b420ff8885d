package dev.standpipe.error;

import org.jspecify.annotations.Nullable;

/** The root of everything Standpipe throws. Its message says what to do. */
public class StandpipeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  /** An error without a cause. */
  public StandpipeException(ErrorCode code, String message) {
    this(code, message, null);
  }

  /** An error with its cause. */
  public StandpipeException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
  }

  /** What went wrong, for programs. */
  public ErrorCode code() {
    return code;
  }
}
