package dev.standpipe;

/**
 * What a step body throws when no retry can help: the step fails at once, whatever its {@link
 * Retry} says, and its run halts with {@link HaltReason#FAILED_NOW}.
 *
 * <pre>{@code throw Fail.now("the card was reported stolen");}</pre>
 *
 * <p>It counts only if the body itself throws it: one that is wrapped in another exception is a
 * failure like any other.
 */
public final class Fail extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private Fail(String message) {
    super(message);
  }

  private Fail(String message, Throwable cause) {
    super(message, cause);
  }

  /** Fails the step for good. */
  public static Fail now(String message) {
    return new Fail(message);
  }

  /** Fails the step for good, and keeps what led to it in the attempt's trace. */
  public static Fail now(String message, Throwable cause) {
    return new Fail(message, cause);
  }
}
