package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.ContextEntry;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EffectWriters.SettledEffect;
import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What settlements set in the contexts of their runs. */
final class ContextRows {
  private ContextRows() {}

  /**
   * Writes it; takes all of the transaction back if a key has another value that may not be
   * replaced. A statement cannot write one row twice, so those who set one key take their turns.
   */
  static void write(Session session, List<SettledEffect<ContextEntry>> entries)
      throws SQLException {
    for (Rows turn : turns(entries)) {
      if (session.query("settle_context").set("entries", turn).update() < turn.size()) {
        throw new StoreException(
            StoreFailure.DATA,
            new SQLDataException(
                "a context key it set once and for all has got another value meanwhile"));
      }
    }
  }

  private static List<Rows> turns(List<SettledEffect<ContextEntry>> entries) {
    record ContextKey(UUID run, String key) {}
    Map<ContextKey, Integer> times = new HashMap<>();
    List<Rows> turns = new ArrayList<>();
    for (SettledEffect<ContextEntry> settled : entries) {
      Settlement s = settled.of();
      ContextEntry entry = settled.effect();
      int turn = times.merge(new ContextKey(s.run(), entry.key()), 1, Integer::sum) - 1;
      if (turn == turns.size()) {
        turns.add(newEntries());
      }
      int replaces = entry.replaces() ? 1 : 0;
      turns
          .get(turn)
          .add(s.run(), entry.key(), entry.value(), replaces, s.node(), s.index(), s.token());
    }
    return turns;
  }

  private static Rows newEntries() {
    return new Rows(
        "run uuid",
        "key text",
        "value text",
        "replaces integer",
        "node text",
        "idx integer",
        "token bigint");
  }
}
