package dev.standpipe.schedule;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * What became of one instant of a schedule.
 *
 * @param at the instant
 * @param outcome what became of it
 * @param run the run that was started for it
 * @param error why no run could be started
 */
public record Firing(
    Instant at, FiringOutcome outcome, Optional<UUID> run, Optional<String> error) {
  /** What became of an instant. */
  public enum FiringOutcome {
    /** Somebody asked for it; a process will start its run. */
    REQUESTED,
    /** Its run was started. */
    STARTED,
    /** No run was started, since an earlier one had not ended. */
    SKIPPED,
    /** No run could be started: its input could not be made. */
    FAILED
  }
}
