package dev.standpipe.supervisor;

import java.time.Duration;

/** How long to wait before a child that died is replaced. Not thread-safe. */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final Duration youth;
  private Duration next = FIRST;

  /** A child that has lived for less than this has died young. */
  Backoff(Duration youth) {
    this.youth = youth;
  }

  /** How long to wait after a child that has lived for so long. */
  Duration after(Duration lived) {
    if (lived.compareTo(youth) >= 0) {
      next = FIRST;
      return Duration.ZERO;
    }
    Duration now = next;
    Duration doubled = now.multipliedBy(2);
    next = doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST;
    return now;
  }
}
