package dev.standpipe.internal.store;

import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.sharedrows.SharedRows;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * Locks all tasks of a run, so that two who do take turns, once they have rows of their own. Waits
 * for those in other hands with none in its own: a settlement that holds them may want the others
 * next.
 */
public final class RunTaskLock {
  private RunTaskLock() {}

  /** What was done with all tasks locked, or which of them was in other hands. */
  private record Turn<T>(Optional<T> done, Optional<Long> busy) {}

  /** Works in one transaction that has all tasks of this run. */
  public static <T> T tasksOf(UUID run, Database database, Database.SessionWork<T> work) {
    if (!database.dialect().has(Capability.MANY_WRITERS)) {
      return database.inTransaction(work);
    }
    while (true) {
      Turn<T> turn =
          database.inTransaction(session -> turn(session, run, database.dialect(), work));
      if (turn.done().isPresent()) {
        return turn.done().get();
      }
      long task = turn.busy().orElseThrow();
      database.autocommit(
          session -> session.query("run_wait").set("run", run).set("task", task).first(row -> 1));
    }
  }

  private static <T> Turn<T> turn(
      Session session, UUID run, Dialect dialect, Database.SessionWork<T> work)
      throws SQLException {
    SharedRows.dissolveRun(run, session, dialect);
    Optional<Long> busy = session.query("run_hold").set("run", run).first(row -> row.getLong("id"));
    return busy.isPresent()
        ? new Turn<>(Optional.empty(), busy)
        : new Turn<>(Optional.of(work.in(session)), busy);
  }
}
