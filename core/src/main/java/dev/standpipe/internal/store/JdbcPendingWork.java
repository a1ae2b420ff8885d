package dev.standpipe.internal.store;

import dev.standpipe.internal.port.PendingWork;
import dev.standpipe.internal.store.connection.FileWatch;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Database;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Rows;
import dev.standpipe.internal.store.jdbc.Session;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** One look at all tables that tell of something to do. Thread-safe. */
final class JdbcPendingWork implements PendingWork {
  private final Database database;
  private final boolean versioned;
  private final FileWatch files;
  private boolean quiet;
  private String lastVersion = "";
  private List<Integer> lastLanes = List.of();

  /** Looks in this database, which may have a version to compare. */
  JdbcPendingWork(Database database) {
    this.database = database;
    this.versioned = database.dialect().has(Capability.CHANGE_VERSION);
    this.files = database.dialect().fileWatch();
  }

  @Override
  public synchronized Written written() {
    Written written = files.written();
    quiet = written == Written.NOTHING;
    return written;
  }

  /**
   * A version counts on one connection only; it is read first, so that nothing is missed. If there
   * were heartbeats only, it has changed, and is not asked for: the look comes for what time does.
   */
  @Override
  public synchronized Optional<Seen> look(Collection<Integer> lanes) {
    Rows rows = new Rows("lane integer");
    lanes.forEach(rows::add);
    return database.autocommit(
        session -> {
          boolean asks = versioned && !quiet;
          String version = asks ? version(session) : "";
          if (asks && version.equals(lastVersion) && lastLanes.equals(List.copyOf(lanes))) {
            return Optional.empty();
          }
          Optional<Seen> seen = session.query("needs_look").set("lanes", rows).first(this::seen);
          quiet = false;
          lastVersion = version;
          lastLanes = List.copyOf(lanes);
          return seen;
        });
  }

  private static String version(Session session) throws SQLException {
    return session.connectionId()
        + session.query("needs_version").first(row -> "-" + row.getString("version")).orElse("");
  }

  private Seen seen(ResultSet row) throws SQLException {
    files.learn(row);
    return new Seen(
        row.getBoolean("ready"),
        row.getBoolean("suspects"),
        row.getBoolean("busy"),
        row.getBoolean("paused"),
        row.getBoolean("ended"),
        row.getBoolean("stopped"),
        row.getBoolean("expired"),
        row.getInt("processes"),
        within(row, "task_us"),
        within(row, "deadline_us"),
        within(row, "schedule_us"));
  }

  private static Optional<Duration> within(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(Micros.duration(micros));
  }
}
