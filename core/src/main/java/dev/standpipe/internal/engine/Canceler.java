package dev.standpipe.internal.engine;

import dev.standpipe.spi.Runs;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;

/**
 * Interrupts the bodies of runs that are being canceled, whoever canceled them, are out of time or
 * were ended early by a step, and ends such runs when their bodies have ended or their grace is
 * over. Asks only while this process holds anything; what a dead one held is the sweeper's.
 */
final class Canceler {
  private final Runs runs;
  private final Crew crew;
  private final Ends ends;
  private final Duration interval;

  Canceler(Runs runs, Crew crew, Ends ends, Duration interval) {
    this.runs = runs;
    this.crew = crew;
    this.ends = ends;
    this.interval = interval;
  }

  /** One pass; says how long to wait for the next. */
  Duration look() {
    if (!crew.hold().works().isEmpty()) {
      Set<UUID> canceling = Set.copyOf(runs.canceling());
      if (!canceling.isEmpty()) {
        crew.interrupt(canceling);
        canceling.forEach(run -> ends.settle(runs, run));
      }
    }
    return interval;
  }
}
