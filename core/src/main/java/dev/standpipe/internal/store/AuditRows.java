package dev.standpipe.internal.store;

import dev.standpipe.info.StepId;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The {@code audit} table. */
public final class AuditRows {
  private AuditRows() {}

  /** Notes what was done to a run. */
  public static void add(Session session, String action, UUID run, Audited audited)
      throws SQLException {
    add(session, action, run, null, null, audited);
  }

  /** Notes what was done to a run at one of its nodes. */
  public static void add(Session session, String action, UUID run, String node, Audited audited)
      throws SQLException {
    add(session, action, run, node, null, audited);
  }

  /** Notes what was done to a step. */
  public static void add(Session session, String action, StepId step, Audited audited)
      throws SQLException {
    add(session, action, step.run(), step.node(), step.index(), audited);
  }

  private static void add(
      Session session,
      String action,
      UUID run,
      @Nullable String node,
      @Nullable Integer index,
      Audited audited)
      throws SQLException {
    session
        .query("audit_add")
        .set("run", run)
        .set("node", node)
        .set("idx", index)
        .set("actor", audited.by())
        .set("action", action)
        .set("reason", audited.reason())
        .update();
  }
}
