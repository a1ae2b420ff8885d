package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.List;

/**
 * Writes the effects of steps, with the end of the step or not at all. Each kind of effect has a
 * writer, and all settlements call the writers in the same order: so no two of them wait for each
 * other's rows. Whoever adds a kind adds a record to {@link Settlement.StepEffect}, a writer here,
 * and its statement in each dialect.
 */
final class EffectWriters {
  private static final List<EffectWriter> IN_ORDER = List.of(ContextRows::write);

  private EffectWriters() {}

  /** Writes the effects of one kind. */
  private interface EffectWriter {
    void write(Session session, List<Settlement> settled) throws SQLException;
  }

  /** Writes the effects of these settlements, which have passed the guard. */
  static void write(Session session, List<Settlement> settled) throws SQLException {
    if (!settled.isEmpty()) {
      for (EffectWriter writer : IN_ORDER) {
        writer.write(session, settled);
      }
    }
  }
}
