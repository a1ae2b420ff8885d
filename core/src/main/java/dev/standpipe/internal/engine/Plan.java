package dev.standpipe.internal.engine;

import dev.standpipe.spi.Settlement;
import dev.standpipe.spi.Settlement.Advancing;
import dev.standpipe.spi.Settlement.Bump;
import dev.standpipe.spi.Settlement.NewTasks;

/**
 * A settlement as it is sent, with the outcome it was made from.
 *
 * @param outcome the outcome
 * @param settlement what is written
 */
record Plan(Outcome outcome, Settlement settlement) {
  Work work() {
    return outcome.work();
  }

  /** The same, with nothing that follows kept; the room that was set aside is not given up. */
  Plan unkept() {
    return new Plan(outcome, settlement.unkept());
  }

  /** For how many tasks, besides the one that takes over the row, room was set aside. */
  int reserved() {
    int reserved = 0;
    if (settlement.verdict() instanceof Advancing ok) {
      for (NewTasks tasks : ok.tasks()) {
        reserved += tasks.leased();
      }
      for (Bump bump : ok.bumps()) {
        reserved += bump.leased() ? 1 : 0;
      }
    }
    return reserved;
  }
}
