package dev.standpipe.schedule;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;

/**
 * What becomes of instants that nobody fired in time: all processes were stopped, or the database
 * was.
 *
 * @param policy which of them are fired late
 * @param limit how many at most: 0 of those that are skipped, 1 of the latest
 */
public record Missed(Policy policy, int limit) {
  /** An instant that is fired within this many seconds was not missed. */
  public static final int TOLERANCE_SECONDS = 60;

  private static final int MOST = 10_000;

  /** Which of the missed instants are fired late. */
  public enum Policy {
    /** None. */
    SKIP,
    /** The last of them. */
    LATEST,
    /** All of them, in their order. */
    ALL
  }

  /** Checks that the limit fits. */
  public Missed {
    int least = policy == Policy.SKIP ? 0 : 1;
    int most = policy == Policy.ALL ? MOST : least;
    if (limit < least || limit > most) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "The number of missed instants to fire must be %d to %d, was %d"
              .formatted(least, most, limit));
    }
  }

  /** None is fired late. */
  public static Missed skip() {
    return new Missed(Policy.SKIP, 0);
  }

  /** The last of them is fired late. */
  public static Missed latest() {
    return new Missed(Policy.LATEST, 1);
  }

  /** The last so many are fired late, in their order; 1 to 10,000. */
  public static Missed all(int limit) {
    return new Missed(Policy.ALL, limit);
  }
}
