package dev.standpipe.internal.store.run;

import dev.standpipe.error.NotForkableException;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Runs.Begin;
import dev.standpipe.internal.port.Runs.Forked;
import dev.standpipe.internal.port.Runs.TakenOver;
import dev.standpipe.internal.store.AuditRows;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.SQLException;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Gives a new run what another has finished. The original may go on meanwhile: one statement takes
 * over what is there at one moment, and what begins is worked out from that alone.
 */
final class ForkRows {
  private ForkRows() {}

  static Resume takeOver(
      Session session, Forked fork, Function<TakenOver, Begin> plan, Audited audited)
      throws SQLException {
    UUID run = fork.run().id();
    Rows redone = new Rows("node text");
    fork.redone().forEach(redone::add);
    session
        .query("fork_results")
        .set("run", run)
        .set("original", fork.original())
        .set("redone", redone)
        .update();
    if (fork.context()) {
      session.query("fork_context").set("run", run).set("original", fork.original()).update();
    }
    edit(session, fork);
    TakenOver taken =
        new TakenOver(ReviveRows.finished(session, run), ReviveRows.unfinished(session, run));
    Begin begin = plan.apply(taken);
    skip(session, run, begin);
    session
        .query("run_fork")
        .set("run", run)
        .set("original", fork.original())
        .set("node", fork.node())
        .update();
    ReviveRows.begin(session, begin.resume());
    AuditRows.add(session, "fork", fork.original(), fork.node(), audited);
    return begin.resume();
  }

  /** What was skipped in the original has no value that another could take the place of. */
  private static void edit(Session session, Forked fork) throws SQLException {
    for (Map.Entry<String, String> edit : fork.edited().entrySet()) {
      int found =
          session
              .query("fork_edit")
              .set("run", fork.run().id())
              .set("node", edit.getKey())
              .set("value", edit.getValue())
              .update();
      if (found == 0) {
        throw NotForkableException.noValue(fork.original(), fork.node(), edit.getKey());
      }
    }
  }

  private static void skip(Session session, UUID run, Begin begin) throws SQLException {
    if (!begin.skips().isEmpty()) {
      Rows skips = new Rows("node text", "idx integer");
      begin.skips().forEach(skip -> skips.add(skip.node(), skip.index()));
      session.query("fork_skips").set("run", run).set("skips", skips).update();
    }
  }
}
