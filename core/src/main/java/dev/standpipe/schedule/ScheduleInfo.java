package dev.standpipe.schedule;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A schedule as the database has it.
 *
 * @param name what people call it
 * @param pipeline what it starts runs of
 * @param timing when it fires
 * @param policies how it fires
 * @param declared whether programs declare it; otherwise an operator has created it
 * @param next the next instant; nothing if there is none any more
 * @param paused since when it is paused, who paused it and why, if it is
 */
public record ScheduleInfo(
    String name,
    String pipeline,
    Timing timing,
    Policies policies,
    boolean declared,
    Optional<Instant> next,
    Optional<SchedulePause> paused) {
  /**
   * A pause of a schedule.
   *
   * @param since when it was paused
   * @param by who paused it
   * @param reason why
   */
  public record SchedulePause(Instant since, String by, String reason) {}

  /** The next instants, the one that is due next first; none while it is paused. */
  public List<Instant> upcoming(int count) {
    if (next.isEmpty() || paused.isPresent()) {
      return List.of();
    }
    return timing.next(next.get().minusNanos(1), count);
  }
}
