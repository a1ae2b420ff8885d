package dev.standpipe.cli;

import org.jspecify.annotations.Nullable;

/** A command cannot go on. Its message is all that the user gets to see, and says what to do. */
public final class CommandFailure extends RuntimeException {
  /** The exit code for something that went wrong. */
  public static final int FAILED = 1;

  /** The exit code for a command that was called in a wrong way. */
  public static final int USAGE = 2;

  private static final long serialVersionUID = 1L;

  private final int exitCode;

  /** A failure without a cause. */
  public CommandFailure(int exitCode, String message) {
    this(exitCode, message, null);
  }

  /** A failure with its cause. */
  public CommandFailure(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** What the command exits with. */
  public int exitCode() {
    return exitCode;
  }
}
