package dev.standpipe.internal.engine.expand;

import dev.standpipe.internal.engine.claim.InFlight;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Outcome;

/**
 * Holds expands back while there is enough to do. Each may bring a thousand steps along: if all
 * ready expands ran at once, the process could not keep most of their steps, which would have to go
 * through the queue. Thread-safe.
 */
public final class ExpandThrottle {
  private static final int ENOUGH = 2_000;
  private static final int FIRST_GUESS = 200;

  private final InFlight inFlight;
  private volatile int usual = FIRST_GUESS;

  public ExpandThrottle(InFlight inFlight) {
    this.inFlight = inFlight;
  }

  /** Whether a try has to ask; a suspect has waited for its turn already. */
  public static boolean concerns(Attempt attempt) {
    return attempt.isExpand() && !attempt.isSuspect();
  }

  /** Learns from an outcome how many elements an expand has at present. */
  public void observe(Outcome outcome) {
    if (outcome.attempt().isExpand()) {
      usual = (usual * 3 + outcome.weight()) / 4;
    }
  }

  /** Whether one more expand may run. */
  public boolean mayExpand() {
    if (inFlight.attempts().size() - inFlight.expands().size() > inFlight.capacity().limit()) {
      return false;
    }
    int open = 0;
    for (Attempt attempt : inFlight.expands()) {
      if (!attempt.isQueued()) {
        open++;
      }
    }
    return open < 2 || open * usual < ENOUGH;
  }
}
