package dev.standpipe.internal.engine;

import dev.standpipe.spi.Pauses;
import dev.standpipe.spi.Pauses.Paused;
import java.time.Duration;

/**
 * Learns what is paused: nothing more is taken of such lanes, and what this process holds of them,
 * or of a run that is paused, is given back unless it has begun. Thread-safe.
 */
final class Pauser {
  private final Pauses pauses;
  private final Crew crew;
  private final Duration interval;

  Pauser(Pauses pauses, Crew crew, Duration interval) {
    this.pauses = pauses;
    this.crew = crew;
    this.interval = interval;
  }

  /**
   * One pass; says how long to wait for the next. One at a time, so that the last to look knows.
   */
  synchronized Duration look() {
    Paused paused = pauses.look();
    crew.hold().pause(paused.lanes());
    if (!paused.isEmpty()) {
      crew.hold().works().stream()
          .filter(work -> paused.lanes().contains(work.lane) || paused.runs().contains(work.run))
          .filter(Work::isQueued)
          .forEach(crew::giveBack);
      paused.runs().forEach(pauses::calm);
    }
    return interval;
  }
}
