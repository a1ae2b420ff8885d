package dev.standpipe.internal.port;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** When runs must have ended: the {@code deadline} table, with a row for each run that has one. */
public interface Deadlines {
  /** How long until the next one passes. */
  Optional<Duration> next();

  /** Some runs whose deadline has passed, the longest ago first. */
  List<UUID> overdue(int limit);

  /**
   * Forgets a run's deadline, and stops the run for it if it is running, as a cancel would; {@link
   * Runs#finishStopping} goes on from there.
   *
   * @param graceMicros how long its bodies have before they are cut off
   * @return whether it was running
   */
  boolean expire(UUID run, long graceMicros);
}
