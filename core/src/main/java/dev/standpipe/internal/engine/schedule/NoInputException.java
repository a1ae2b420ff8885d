package dev.standpipe.internal.engine.schedule;

import org.jspecify.annotations.Nullable;

/** A run of a schedule cannot be started: it has no input, or no definition. */
final class NoInputException extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean slow;

  NoInputException(@Nullable String message) {
    this(message, false);
  }

  private NoInputException(@Nullable String message, boolean slow) {
    super(message);
    this.slow = slow;
  }

  /** User code took too long. */
  static NoInputException slow(String message) {
    return new NoInputException(message, true);
  }

  /** Whether to try the next would take as long. */
  boolean isSlow() {
    return slow;
  }
}
