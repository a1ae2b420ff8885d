package dev.standpipe.operate;

import dev.standpipe.Standpipe;

/**
 * Something {@link Standpipe#doctor} has found.
 *
 * @param check the stable name of the check, such as {@code expired_lease}
 * @param severity how bad it is
 * @param problem what was found, in words
 * @param remedy what to do about it
 */
public record Finding(String check, Severity severity, String problem, String remedy) {
  /** How bad a finding is. */
  public enum Severity {
    /** Something hurts, and nothing is broken: work waits, or is slower than it could be. */
    WARNING,
    /** A promise is broken, or the tables cannot be used: somebody has to act. */
    VIOLATION
  }
}
