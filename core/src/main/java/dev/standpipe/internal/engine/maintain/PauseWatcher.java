package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.Pauses;
import dev.standpipe.internal.port.Pauses.Paused;
import dev.standpipe.internal.port.PendingWork.Seen;
import java.time.Duration;
import java.util.Optional;

/**
 * Learns what is paused: nothing more is taken of such lanes, and what this process holds of them,
 * or of a run that is paused, is given back unless it has begun. Thread-safe.
 */
public final class PauseWatcher implements PeriodicDuty {
  private final Pauses pauses;
  private final ProcessState processState;

  PauseWatcher(Pauses pauses, ProcessState processState) {
    this.pauses = pauses;
    this.processState = processState;
  }

  @Override
  public String name() {
    return "pauses";
  }

  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    return PeriodicDuty.atOnceIf(news && (seen.paused() || processState.inFlight().isAnyPaused()));
  }

  /**
   * One pass; says how long to wait for the next. One at a time, so that the last to look knows.
   */
  @Override
  public synchronized Duration perform() {
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
    return RARELY;
  }
}
