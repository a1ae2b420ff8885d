package dev.standpipe.internal.engine.schedule;

import org.jspecify.annotations.Nullable;

/** A run of a schedule cannot be started: it has no input, or no definition. */
final class NoInputException extends Exception {
  private static final long serialVersionUID = 1L;

  NoInputException(@Nullable String message) {
    super(message);
  }
}
