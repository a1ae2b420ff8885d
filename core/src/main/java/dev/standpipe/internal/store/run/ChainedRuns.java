package dev.standpipe.internal.store.run;

import dev.standpipe.error.UnknownRunException;
import dev.standpipe.internal.port.RunEnds.Upstreams;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EndedRuns;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Runs that wait for others, in the transaction that links them, or that follows up an end. A run
 * waits with its first tasks scheduled out of reach and a row in {@code chained}, whose counter is
 * changed under its lock: of two last upstreams, the second sees the first. Locks are taken in the
 * order chained, task, run.
 */
final class ChainedRuns {
  private final Session session;
  private final List<UUID> skipped = new ArrayList<>();
  private boolean released;

  ChainedRuns(Session session) {
    this.session = session;
  }

  /**
   * A run that others wait for.
   *
   * @param id its id
   * @param ended whether it has ended
   * @param succeeded whether it has succeeded
   */
  record Upstream(UUID id, boolean ended, boolean succeeded) {}

  /** Holds the runs so that none of them ends before this transaction does. */
  List<Upstream> lock(List<UUID> upstreams) throws SQLException {
    List<Upstream> locked =
        session
            .query("chain_lock")
            .set("runs", rows(upstreams))
            .list(
                row ->
                    new Upstream(
                        Column.uuid(row, "run_id"),
                        row.getBoolean("ended"),
                        row.getBoolean("succeeded")));
    Set<UUID> missing = new HashSet<>(upstreams);
    locked.forEach(upstream -> missing.remove(upstream.id()));
    if (!missing.isEmpty()) {
      throw new UnknownRunException(missing.iterator().next());
    }
    return locked;
  }

  /** Has a run wait for those of the locked that have not ended, unless it is decided already. */
  void link(UUID run, List<Upstream> upstreams, Upstreams waiting) throws SQLException {
    List<UUID> ids = upstreams.stream().map(Upstream::id).toList();
    session.query("chain_follow").set("runs", rows(ids)).update();
    Rows links = new Rows("run uuid", "ended smallint");
    upstreams.forEach(one -> links.add(one.id(), (short) (one.ended() ? 1 : 0)));
    session.query("chain_add").set("run", run).set("runs", links).update();
    int remaining = (int) upstreams.stream().filter(upstream -> !upstream.ended()).count();
    session
        .query("chained_add")
        .set("run", run)
        .set("remaining", remaining)
        .set("delay_us", waiting.delayMicros())
        .set("value_of", waiting.otherwise() == null ? null : ids.get(0))
        .set("otherwise", waiting.otherwise())
        .update();
    if (upstreams.stream().anyMatch(upstream -> upstream.ended() && !upstream.succeeded())) {
      skip(run);
    } else if (remaining == 0) {
      begin(run);
    } else {
      session.query("chain_wait").set("run", run).update();
    }
  }

  /** Takes the end of a run into account, for all that wait for it. */
  void resolve(UUID upstream, boolean succeeded) throws SQLException {
    List<UUID> downstreams =
        session
            .query("chain_resolve")
            .set("run", upstream)
            .list(row -> Column.uuid(row, "downstream_run_id"))
            .stream()
            .sorted()
            .toList();
    for (UUID downstream : downstreams) {
      if (succeeded) {
        arrive(downstream);
      } else {
        skip(downstream);
      }
    }
  }

  /** Those that were skipped. */
  List<UUID> skipped() {
    return skipped;
  }

  /** Whether any began. */
  boolean released() {
    return released;
  }

  private void arrive(UUID run) throws SQLException {
    boolean last =
        session
            .query("chained_arrive")
            .set("run", run)
            .first(row -> row.getInt("remaining") == 0)
            .orElse(false);
    if (last) {
      begin(run);
    }
  }

  private void begin(UUID run) throws SQLException {
    session.query("chain_input").set("run", run).update();
    session.query("chain_ready").set("run", run).update();
    session.query("chained_forget").set("run", run).update();
    session.query("chain_begin").set("run", run).update();
    released = true;
  }

  private void skip(UUID run) throws SQLException {
    if (session.query("chained_forget").set("run", run).update() > 0) {
      session.query("chain_clear").set("run", run).update();
      if (EndedRuns.by(session, session.query("chain_skip").set("run", run)).runs() > 0) {
        skipped.add(run);
      }
    }
  }

  private static Rows rows(List<UUID> runs) {
    Rows rows = new Rows("run uuid");
    runs.forEach(rows::add);
    return rows;
  }
}
