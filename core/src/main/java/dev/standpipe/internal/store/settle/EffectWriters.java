package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.CheckpointDone;
import dev.standpipe.internal.port.Settlement.ContextEntry;
import dev.standpipe.internal.port.Settlement.EmittedEvent;
import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.internal.port.Settlement.TurnEntry;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the effects of steps, with the settlement of the step or not at all. Each kind of effect
 * has a writer, and all settlements call the writers in the same order: so no two of them wait for
 * each other's rows. To add a kind, add a record to {@link StepEffect}, a line here with the class
 * that writes it, and its statement in each dialect.
 */
final class EffectWriters {
  private static final List<EffectWriter<?>> IN_ORDER =
      List.of(
          new EffectWriter<>(ContextEntry.class, ContextRows::write),
          new EffectWriter<>(TurnEntry.class, TurnRows::write),
          new EffectWriter<>(EmittedEvent.class, EventRows::write),
          new EffectWriter<>(CheckpointDone.class, CheckpointRows::remove));

  private EffectWriters() {}

  /** An effect, and the settlement that it belongs to, which has passed the guard. */
  record SettledEffect<E extends StepEffect>(Settlement of, E effect) {}

  /** Writes the effects of one kind, at least one, in the order of their settlements. */
  @FunctionalInterface
  interface EffectStatement<E extends StepEffect> {
    void write(Session session, List<SettledEffect<E>> effects) throws SQLException;
  }

  private record EffectWriter<E extends StepEffect>(Class<E> kind, EffectStatement<E> statement) {
    void write(Session session, List<Settlement> settled) throws SQLException {
      List<SettledEffect<E>> effects = new ArrayList<>();
      for (Settlement s : settled) {
        for (StepEffect effect : s.effects()) {
          if (kind.isInstance(effect) && effect.isWrittenWith(s.verdict())) {
            effects.add(new SettledEffect<>(s, kind.cast(effect)));
          }
        }
      }
      if (!effects.isEmpty()) {
        statement.write(session, effects);
      }
    }
  }

  /** The kinds that have a writer, in the order in which they are written. */
  static List<Class<? extends StepEffect>> kinds() {
    List<Class<? extends StepEffect>> kinds = new ArrayList<>();
    IN_ORDER.forEach(writer -> kinds.add(writer.kind()));
    return kinds;
  }

  /** Writes the effects of these settlements, which have passed the guard. */
  static void write(Session session, List<Settlement> settled) throws SQLException {
    if (!settled.isEmpty()) {
      for (EffectWriter<?> writer : IN_ORDER) {
        writer.write(session, settled);
      }
    }
  }
}
