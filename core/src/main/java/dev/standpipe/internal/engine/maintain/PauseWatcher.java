package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Pauses;
import dev.standpipe.internal.port.Pauses.Paused;
import java.time.Duration;

/**
 * Learns what is paused: nothing more is taken of such lanes, and what this process holds of them,
 * or of a run that is paused, is given back unless it has begun. Thread-safe.
 */
public final class PauseWatcher {
  private final Pauses pauses;
  private final ProcessState processState;
  private final Duration interval;

  PauseWatcher(Pauses pauses, ProcessState processState, Duration interval) {
    this.pauses = pauses;
    this.processState = processState;
    this.interval = interval;
  }

  /**
   * One pass; says how long to wait for the next. One at a time, so that the last to look knows.
   */
  public synchronized Duration look() {
    Paused paused = pauses.look();
    processState.inFlight().pause(paused.lanes());
    if (!paused.isEmpty()) {
      processState.inFlight().attempts().stream()
          .filter(
              attempt ->
                  paused.lanes().contains(attempt.lane) || paused.runs().contains(attempt.run))
          .filter(Attempt::isQueued)
          .forEach(processState::giveBack);
      paused.runs().forEach(pauses::calm);
    }
    return interval;
  }
}
