package dev.standpipe.internal.store.transaction;

import dev.standpipe.internal.store.jdbc.Dialect;
import java.sql.SQLException;

/** Finds a lost race among the causes of an exception: frameworks wrap what drivers throw. */
final class LostRace {
  /** Longer chains of causes go in circles. */
  private static final int MOST_CAUSES = 50;

  private LostRace() {}

  static boolean causes(Throwable error, Dialect dialect) {
    Throwable cause = error;
    for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
      if (cause instanceof SQLException sql && dialect.mayBeRunAgain(sql)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }
}
