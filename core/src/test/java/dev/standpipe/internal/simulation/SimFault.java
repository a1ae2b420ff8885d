package dev.standpipe.internal.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What can go wrong in a simulation. */
enum SimFault {
  /** A statement does not arrive, or its reply does not. */
  LOST_CONNECTION,
  /** The same, and the process is gone. */
  DEATH_IN_A_CALL,
  /** A process is gone between two passes, or while a body runs. */
  DEATH,
  /** A process does nothing for a while, and does not know. */
  FREEZE,
  /** The database's clock jumps, either way. */
  DATABASE_CLOCK,
  /** A process's clock jumps, either way. */
  MACHINE_CLOCK;

  /** One kind or more. */
  static List<SimFault> some(Random dice) {
    List<SimFault> some = new ArrayList<>();
    while (some.isEmpty()) {
      for (SimFault fault : values()) {
        if (dice.nextInt(2) == 0) {
          some.add(fault);
        }
      }
    }
    return some;
  }
}
