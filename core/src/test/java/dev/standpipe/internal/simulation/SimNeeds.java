package dev.standpipe.internal.simulation;

import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Holds the one look of the poller against what its parts do: whatever a part that waits to be told
 * writes, the look before must have told of. Otherwise nobody would have had the part look.
 */
final class SimNeeds {
  private static final SqliteDialect DIALECT = new SqliteDialect();
  private static final Sql SQL = new Sql("sqlite", Tables.DEFAULT);

  private final SimDatabase database;
  private final SimLink link;

  SimNeeds(SimDatabase database, SimLink link) {
    this.database = database;
    this.link = link;
  }

  /** Runs the pass of a part; says what is wrong with the look, if anything is. */
  Optional<String> pass(Duty part) {
    if (!waitsToBeTold(part)) {
      part.pass().run();
      return Optional.empty();
    }
    Seen before = look();
    long changes = changes();
    try {
      part.pass().run();
    } finally {
      changes = changes() - changes;
    }
    return changes > 0 && !tellsOf(part, before)
        ? Optional.of(part.name() + " had something to do that the poller did not see: " + before)
        : Optional.empty();
  }

  private static boolean waitsToBeTold(Duty part) {
    return List.of("suspects", "pauses", "run_ends", "promoter", "deadlines", "reaper")
        .contains(part.name());
  }

  private static boolean tellsOf(Duty part, Seen seen) {
    return switch (part.name()) {
      case "suspects" -> seen.suspects();
      case "pauses" -> seen.paused();
      case "run_ends" -> seen.ended();
      case "promoter" -> seen.nextTask().filter(Duration::isZero).isPresent();
      case "deadlines" -> seen.nextDeadline().filter(Duration::isZero).isPresent();
      default -> seen.expired() || seen.stopped() || seen.busy() || seen.suspects();
    };
  }

  /** By a store that has never looked, so that it does. */
  private Seen look() {
    JdbcStore store = new JdbcStore(DIALECT, SQL, new OwnedConnection(link.dataSource(), DIALECT));
    return store.pendingWork().look(List.of()).orElseThrow();
  }

  private long changes() {
    try (Statement statement = database.connection().createStatement();
        ResultSet row = statement.executeQuery("select total_changes()")) {
      return row.next() ? row.getLong(1) : 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
