package dev.standpipe.internal.engine.loop;

import dev.standpipe.internal.port.PendingWork.Seen;
import java.time.Duration;
import java.util.Optional;

/**
 * Something that a process does from time to time, besides running steps. It has neither a thread
 * nor a clock of its own: it is performed when its time has come, or when it says that what was
 * seen in the database is a reason to. One thread at a time performs it.
 */
public interface PeriodicDuty {
  /** For those that wait for a reason. */
  Duration RARELY = Duration.ofHours(1);

  /** What it is called in logs and events. */
  String name();

  /** One pass; says how long to wait for the next, unless there is a reason before. */
  Duration perform();

  /**
   * How soon it is to be performed because of what was seen; zero for at once. Asked after each
   * look at the database, of which there is one for all duties.
   *
   * @param seen what there is to do
   * @param news whether anybody may have written since the look before; if not, times that are to
   *     come have come closer meanwhile
   */
  default Optional<Duration> dueAfter(Seen seen, boolean news) {
    return Optional.empty();
  }

  /** At once if there is a reason. */
  static Optional<Duration> atOnceIf(boolean reason) {
    return reason ? Optional.of(Duration.ZERO) : Optional.empty();
  }
}
