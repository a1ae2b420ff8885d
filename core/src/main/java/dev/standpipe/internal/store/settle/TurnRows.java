package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.TurnEntry;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EffectWriters.SettledEffect;
import java.sql.SQLException;
import java.util.List;

/**
 * The turns of loops that settlements write, and the older ones that go with them. What tries of a
 * turn have kept for the next try goes, too: the next turn makes its own calls.
 */
final class TurnRows {
  private TurnRows() {}

  /** Failed tries go before their turns, whose tokens say which they are. */
  static void write(Session session, List<SettledEffect<TurnEntry>> entries) throws SQLException {
    Rows turns =
        new Rows(
            "run uuid",
            "node text",
            "idx integer",
            "turn integer",
            "token bigint",
            "attempt integer",
            "elapsed_us bigint",
            "value text");
    Rows loops = new Rows("run uuid", "node text", "idx integer");
    Rows trims = new Rows("run uuid", "node text", "idx integer", "first integer", "last integer");
    for (SettledEffect<TurnEntry> entry : entries) {
      Settlement s = entry.of();
      TurnEntry turn = entry.effect();
      turns.add(
          s.run(),
          s.node(),
          s.index(),
          turn.turn(),
          s.token(),
          s.attempt(),
          s.elapsedMicros(),
          turn.state());
      loops.add(s.run(), s.node(), s.index());
      if (turn.trims()) {
        trims.add(s.run(), s.node(), s.index(), turn.trimFrom(), turn.trimTo());
      }
    }
    session.query("settle_turns").set("turns", turns).update();
    session.query("settle_substeps").set("steps", loops).update();
    session.query("settle_checkpoint").set("steps", loops).update();
    if (!trims.isEmpty()) {
      session.query("settle_trim_attempts").set("trims", trims).update();
      session.query("settle_trim_turns").set("trims", trims).update();
    }
  }
}
