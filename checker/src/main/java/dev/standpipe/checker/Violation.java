package dev.standpipe.checker;

/**
 * An invariant that did not hold.
 *
 * @param invariant which, such as {@code I3}
 * @param what what was seen, in words
 */
public record Violation(String invariant, String what) {
  @Override
  public String toString() {
    return invariant + ": " + what;
  }
}
