package dev.standpipe.outbox;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;

/**
 * How the relay treats a sink. Immutable.
 *
 * @param timeout how long one call may take; 10 seconds by default, 30 at most
 * @param batch how many events one call gets at most; 500 by default
 * @param maxTries how often an event may fail before it is a dead letter; 20 by default
 * @param firstPause how long to wait after the first failure; it doubles with each further one
 * @param longestPause how long to wait at most
 * @param workers how many calls this process makes at once; 2 by default
 */
public record SinkPolicy(
    Duration timeout,
    int batch,
    int maxTries,
    Duration firstPause,
    Duration longestPause,
    int workers) {
  private static final SinkPolicy STANDARD =
      new SinkPolicy(
          Duration.ofSeconds(10), 500, 20, Duration.ofSeconds(1), Duration.ofMinutes(10), 2);

  /** Refuses what cannot be. */
  public SinkPolicy {
    requireTime("time-out", timeout, Duration.ofSeconds(30));
    requireTime("first pause", firstPause, Duration.ofDays(1));
    requireTime("longest pause", longestPause, Duration.ofDays(1));
    require(batch, 1, 10_000, "batch");
    require(maxTries, 1, 1_000_000, "number of tries");
    require(workers, 1, 64, "number of workers");
  }

  /** The one that suits most: an hour without the sink makes no dead letter. */
  public static SinkPolicy standard() {
    return STANDARD;
  }

  /** With another time-out. */
  public SinkPolicy withTimeout(Duration limit) {
    return new SinkPolicy(limit, batch, maxTries, firstPause, longestPause, workers);
  }

  /** With another batch. */
  public SinkPolicy withBatch(int events) {
    return new SinkPolicy(timeout, events, maxTries, firstPause, longestPause, workers);
  }

  /** With another limit of tries. */
  public SinkPolicy withMaxTries(int tries) {
    return new SinkPolicy(timeout, batch, tries, firstPause, longestPause, workers);
  }

  /** With other pauses after failures. */
  public SinkPolicy withPauses(Duration first, Duration longest) {
    return new SinkPolicy(timeout, batch, maxTries, first, longest, workers);
  }

  /** With another number of workers. */
  public SinkPolicy withWorkers(int count) {
    return new SinkPolicy(timeout, batch, maxTries, firstPause, longestPause, count);
  }

  private static void requireTime(String what, Duration value, Duration most) {
    if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(most) > 0) {
      throw refused(what, value, "1 ms to " + most);
    }
  }

  private static void require(int value, int least, int most, String what) {
    if (value < least || value > most) {
      throw refused(what, value, least + " to " + most);
    }
  }

  private static StandpipeException refused(String what, Object value, String allowed) {
    return new StandpipeException(
        ErrorCode.INVALID_SETTING,
        "The %s of a sink must be %s, was %s".formatted(what, allowed, value));
  }
}
