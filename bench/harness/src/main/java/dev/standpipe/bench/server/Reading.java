package dev.standpipe.bench.server;

/**
 * What a server has done up to a moment, or between two.
 *
 * @param walBytes bytes of write-ahead log
 * @param cpuSeconds processor time of all its processes; not a number if it runs elsewhere
 * @param statements statements executed in one database; not a number if nobody counts them
 */
public record Reading(double walBytes, double cpuSeconds, double statements) {
  /** What was done since another one. */
  public Reading since(Reading before) {
    return new Reading(
        walBytes - before.walBytes, cpuSeconds - before.cpuSeconds, statements - before.statements);
  }
}
