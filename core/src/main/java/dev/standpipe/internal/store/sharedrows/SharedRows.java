package dev.standpipe.internal.store.sharedrows;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Query;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import dev.standpipe.internal.store.settle.EndedRuns;
import dev.standpipe.internal.store.settle.ReplyMerger;
import dev.standpipe.internal.store.settle.SettlementRows;
import dev.standpipe.internal.store.settle.Settler;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks of several runs that share a row, waiting in a bundle or held in a part of one. Steps that
 * succeed, and have a next one or end their run, are settled where they are. Whatever else becomes
 * of one, all that share its row get rows of their own first: nothing but this package and the SQL
 * of the claim has to know of any other tasks than those. See decision 020.
 */
public final class SharedRows {
  private final Database database;
  private final Settler settling;

  public SharedRows(Database database, Settler settling) {
    this.database = database;
    this.settling = settling;
  }

  /**
   * Hands out what a row of a claim stands for: a task, one of a part, or so many elements of a
   * bundle, of which it has the first.
   *
   * @return whether there may be more where it was: a claim takes of one bundle at a time
   */
  public static boolean claimed(ResultSet row, Claimed task, Consumer<Claimed> tasks)
      throws SQLException {
    int place = row.getInt("place");
    if (place > 0) {
      PartRef.PartKey part = new PartRef.PartKey(Column.uuid(row, "bundle"), row.getLong("part"));
      tasks.accept(with(task, new PartRef(task.ref(), part, place), 0, row.getString("input")));
      return true;
    }
    int made = row.getInt("made");
    if (made == 0) {
      tasks.accept(task);
    }
    for (int i = 0; i < made; i++) {
      TaskRef element = new TaskRef(task.run(), task.id() + i, task.token());
      tasks.accept(with(task, element, i, null));
    }
    return made > 0;
  }

  private static Claimed with(Claimed task, TaskRef ref, int after, @Nullable String input) {
    return new Claimed(
        ref,
        task.node(),
        task.index() + after,
        task.lane(),
        task.priority(),
        task.attempt(),
        task.crashes(),
        task.running(),
        task.seq(),
        input);
  }

  /** Settles what is still the owner's; says what became of each. */
  public Reply settle(UUID owner, List<Settlement> all) {
    if (all.stream().noneMatch(s -> s.ref() instanceof PartRef)) {
      return settling.settle(owner, all);
    }
    ReplyMerger tally = ReplyMerger.of(all.size());
    try {
      List<Integer> plain =
          IntStream.range(0, all.size()).filter(i -> fits(all, i)).boxed().toList();
      if (!plain.isEmpty()) {
        tally.add(plain, settlePlain(owner, ReplyMerger.pick(all, plain)));
      }
      List<Integer> others = tally.stale();
      if (!others.isEmpty()) {
        List<Settlement> apart = ReplyMerger.pick(all, others);
        dissolve(apart);
        tally.add(others, settling.settle(owner, apart));
      }
      return tally.reply();
    } catch (StoreException e) {
      throw tally.isChanged() ? e.afterSomeTookEffect() : e;
    }
  }

  /** Settles one step in a transaction that was joined; says whether it is the owner's. */
  public Reply settleJoined(UUID owner, Settlement settlement) {
    List<Settlement> one = List.of(settlement);
    if (settlement.ref() instanceof PartRef) {
      if (fits(one, 0)) {
        Reply there = settlePlain(owner, one);
        if (there.fates().get(0) == SettlementFate.COMMITTED) {
          return there;
        }
      }
      dissolve(one);
    }
    SettlementRows rows = new SettlementRows(one);
    return database.inTransaction(session -> settling.settle(session, owner, rows));
  }

  private static boolean fits(List<Settlement> all, int position) {
    Settlement s = all.get(position);
    return s.ref() instanceof PartRef && SettlementRows.isPlain(s);
  }

  private Reply settlePlain(UUID owner, List<Settlement> plain) {
    List<PartRef.PartKey> keys = keys(refs(plain));
    Rows settled =
        new Rows(
            "part integer",
            "place integer",
            "run uuid",
            "task bigint",
            "token bigint",
            "elapsed_us bigint",
            "value text",
            "next_node text",
            "next_idx integer",
            "state smallint");
    for (Settlement s : plain) {
      PartRef ref = (PartRef) s.ref();
      Settlement.Next next = s.changes().next();
      settled.add(
          keys.indexOf(ref.part()) + 1,
          ref.place(),
          s.run(),
          s.task(),
          s.token(),
          s.elapsedMicros(),
          s.changes().results().get(0).value(),
          next == null ? null : next.node(),
          next == null ? null : next.index(),
          next != null && next.leased() ? SettlementRows.LEASED : SettlementRows.READY);
    }
    Rows parts = rows(keys);
    return database.autocommit(session -> settlePlain(session, owner, plain, parts, settled));
  }

  private static Reply settlePlain(
      Session session, UUID owner, List<Settlement> plain, Rows parts, Rows settled)
      throws SQLException {
    SettlementRows batch = new SettlementRows(plain);
    List<Integer> accepted = new ArrayList<>(plain.size());
    EndedRuns succeeded =
        session
            .query("part_settle")
            .set("owner", owner)
            .set("parts", parts)
            .set("settled", settled)
            .set("settling", plain.size())
            .first(
                row -> {
                  Settler.addPlaces(accepted, batch.positions(), row.getString("accepted"));
                  return new EndedRuns(row.getInt("ended"), row.getBoolean("followed"));
                })
            .orElseThrow();
    List<UUID> stopped = Settler.stopped(session, batch.ends(accepted), succeeded);
    List<SettlementFate> fates = new ArrayList<>(ReplyMerger.stale(plain.size()));
    accepted.forEach(ord -> fates.set(ord, SettlementFate.COMMITTED));
    return new Reply(fates, List.of(), stopped, succeeded.followed(), List.of());
  }

  private void dissolve(List<Settlement> settlements) {
    dissolve(refs(settlements), database);
  }

  /** Gives these tasks rows of their own, where they share one. */
  public static void dissolve(List<TaskRef> refs, Database database) {
    Rows parts = rows(keys(refs));
    if (!parts.isEmpty()) {
      database.autocommit(session -> dissolve(session, parts));
    }
  }

  private static List<TaskRef> refs(List<Settlement> settlements) {
    return settlements.stream().map(Settlement::ref).toList();
  }

  /** The parts that tasks are in: few. */
  private static List<PartRef.PartKey> keys(List<TaskRef> refs) {
    return refs.stream()
        .filter(PartRef.class::isInstance)
        .map(ref -> ((PartRef) ref).part())
        .distinct()
        .sorted(PartRef.PartKey.ORDER)
        .toList();
  }

  private static Rows rows(List<PartRef.PartKey> keys) {
    Rows parts = new Rows("bundle uuid", "id bigint");
    keys.forEach(key -> parts.add(key.bundle(), key.id()));
    return parts;
  }

  /** Gives all that a process holds rows of their own. */
  public static void dissolveOf(UUID process, Database database) {
    database.inTransaction(
        session -> {
          dissolveOf(process, session, database.dialect());
          return true;
        });
  }

  /** Gives all that a process holds rows of their own, within a transaction. */
  public static void dissolveOf(UUID process, Session session, Dialect dialect)
      throws SQLException {
    if (dialect.has(Capability.SHARED_ROWS)) {
      dissolve(session, session.query("part_of_process").set("owner", process));
    }
  }

  /** Gives all tasks that share a row with the first one of a run rows of their own. */
  public static void dissolveRun(UUID run, Session session, Dialect dialect) throws SQLException {
    while (dialect.has(Capability.SHARED_ROWS)
        && dissolve(session, session.query("part_of_run").set("run", run))) {
      // who took it out of a bundle just now has put it into a part
    }
  }

  /** Gives all in the bundles and parts that a query finds rows of their own, if it finds any. */
  private static boolean dissolve(Session session, Query query) throws SQLException {
    List<PartRef.PartKey> keys =
        query.list(row -> new PartRef.PartKey(Column.uuid(row, "bundle"), row.getLong("id")));
    Rows parts = rows(keys.stream().sorted(PartRef.PartKey.ORDER).toList());
    if (!parts.isEmpty()) {
      dissolve(session, parts);
    }
    return !parts.isEmpty();
  }

  private static int dissolve(Session session, Rows parts) throws SQLException {
    return session.query("part_dissolve").set("parts", parts).update();
  }
}
