package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Settlement.EmittedEvent;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.outbox.OutboxRows;
import dev.standpipe.internal.store.outbox.OutboxRows.EmittedRow;
import dev.standpipe.internal.store.settle.EffectWriters.SettledEffect;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** The events that settlements emit. */
final class EventRows {
  private EventRows() {}

  static void write(Session session, List<SettledEffect<EmittedEvent>> events) throws SQLException {
    List<EmittedRow> rows = new ArrayList<>(events.size());
    for (SettledEffect<EmittedEvent> settled : events) {
      Settlement s = settled.of();
      rows.add(new EmittedRow(settled.effect().event(), s.run(), s.node(), s.index()));
    }
    OutboxRows.write(session, rows);
  }
}
