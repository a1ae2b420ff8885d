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
 * Learns which lanes and runs are paused: the process takes no more tasks of such lanes, and gives
 * back its tasks of them, and of paused runs, that have not begun. Thread-safe.
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
    return PeriodicDuty.atOnceIf(news && (seen.paused() || processState.capacity().isAnyPaused()));
  }

  /**
   * One pass; says how long to wait for the next. One at a time, so that the last to look knows.
   */
  @Override
  public synchronized Duration perform() {
    Paused paused = pauses.look();
    processState.capacity().pause(paused.lanes());
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
