package dev.standpipe.internal.engine.commit;

import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Bump;
import dev.standpipe.internal.port.Settlement.NewTasks;

/**
 * A settlement as it is sent, with the outcome it was made from.
 *
 * @param outcome the outcome
 * @param settlement the rows to write
 */
record PlannedSettlement(Outcome outcome, Settlement settlement) {
  Attempt attempt() {
    return outcome.attempt();
  }

  /** The same, with nothing that follows kept; the room that was set aside is not given up. */
  PlannedSettlement unkept() {
    return new PlannedSettlement(outcome, settlement.unkept());
  }

  /** For how many tasks, besides the one that takes over the row, room was set aside. */
  int reserved() {
    int reserved = 0;
    for (NewTasks tasks : settlement.changes().tasks()) {
      reserved += tasks.leased();
    }
    for (Bump bump : settlement.changes().bumps()) {
      reserved += bump.leased() ? 1 : 0;
    }
    return reserved;
  }
}
