package dev.standpipe.error;

import org.jspecify.annotations.Nullable;

/** A value cannot be written as JSON, or JSON does not fit its type. Trying again does not help. */
public final class InvalidValueException extends StandpipeException {
  private static final long serialVersionUID = 1L;

  /** Says what to do about it. */
  public InvalidValueException(String message, @Nullable Throwable cause) {
    super(ErrorCode.INVALID_VALUE, message, cause);
  }
}
