package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.Value;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * An expand with many elements: what they have in common travels once, which costs the database and
 * this process half of what a row for each would.
 */
final class WideExpand {
  private static final int FEWEST = 32;

  private WideExpand() {}

  /** Whether it is one, and its elements follow each other. */
  static boolean is(Settlement settlement) {
    if (!(settlement.verdict() instanceof Settlement.Advancing ok)
        || ok.changes().results().size() <= FEWEST) {
      return false;
    }
    List<Value> elements = elements(ok);
    Value first = elements.get(0);
    for (int i = 0; i < elements.size(); i++) {
      Value element = elements.get(i);
      if (!element.element()
          || element.index() != first.index() + i
          || !element.node().equals(first.node())) {
        return false;
      }
    }
    return true;
  }

  /** Records its elements. */
  static void record(Session session, UUID owner, Settlement expand) throws SQLException {
    List<Value> elements = elements((Settlement.Advancing) expand.verdict());
    Rows values = new Rows("value text");
    elements.forEach(element -> values.add(element.value()));
    session
        .query("settle_elements")
        .set("owner", owner)
        .set("run", expand.run())
        .set("node", elements.get(0).node())
        .set("first", elements.get(0).index())
        .set("attempt", expand.attempt())
        .set("token", expand.token())
        .set("elapsed_us", expand.elapsedMicros())
        .set("elements", values)
        .update();
  }

  /** All but the header, which is written with the expand's own task. */
  private static List<Value> elements(Settlement.Advancing expand) {
    List<Value> results = expand.changes().results();
    return results.subList(SettlementRows.own(expand) == null ? 0 : 1, results.size());
  }
}
