package dev.standpipe.internal.store.outbox;

import dev.standpipe.internal.outbox.NewEvent;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes events, as part of the transaction that they tell of. */
public final class OutboxRows {
  private OutboxRows() {}

  /**
   * An event and the step that emitted it.
   *
   * @param event the event
   * @param run the step's run; {@code null} if no step has emitted it
   * @param node its node
   * @param index its element, or 0
   */
  public record EmittedRow(
      NewEvent event, @Nullable UUID run, @Nullable String node, @Nullable Integer index) {}

  /** Writes those whose dedupe keys are new, and hands them to all sinks. */
  public static void write(Session session, List<EmittedRow> events) throws SQLException {
    List<EmittedRow> fresh = withNewKeys(session, events);
    if (fresh.isEmpty()) {
      return;
    }
    Rows rows =
        new Rows(
            "id uuid",
            "topic text",
            "subject text",
            "type text",
            "payload text",
            "headers text",
            "slot smallint",
            "run uuid",
            "node text",
            "idx integer");
    for (EmittedRow row : fresh) {
      NewEvent event = row.event();
      rows.add(
          event.id(),
          event.topic(),
          event.subject(),
          event.type(),
          event.payload(),
          event.headers(),
          event.slot(),
          row.run(),
          row.node(),
          row.index());
    }
    session.query("outbox_add").set("events", rows).update();
    if (!session.has(Capability.ONE_STATEMENT_WRITES)) {
      session.query("outbox_hand_over").set("events", rows).update();
    }
  }

  private static List<EmittedRow> withNewKeys(Session session, List<EmittedRow> events)
      throws SQLException {
    Rows keys = new Rows("type text", "key text", "id uuid");
    for (EmittedRow row : events) {
      if (row.event().dedupeKey() != null) {
        keys.add(row.event().type(), row.event().dedupeKey(), row.event().id());
      }
    }
    if (keys.isEmpty()) {
      return events;
    }
    Set<UUID> fresh =
        new HashSet<>(
            session
                .query("outbox_add_keys")
                .set("keys", keys)
                .list(row -> Column.uuid(row, "event_id")));
    List<EmittedRow> left = new ArrayList<>();
    for (EmittedRow row : events) {
      if (row.event().dedupeKey() == null || fresh.contains(row.event().id())) {
        left.add(row);
      }
    }
    return left;
  }
}
