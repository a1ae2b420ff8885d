package dev.standpipe.bench.contest;

/** A contender says that it cannot do what is asked; the message says why. */
final class CannotException extends Exception {
  private static final long serialVersionUID = 1;

  CannotException(String reason) {
    super(reason);
  }

  /** Why. */
  String reason() {
    return String.valueOf(getMessage());
  }
}
