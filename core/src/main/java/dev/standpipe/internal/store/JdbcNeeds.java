package dev.standpipe.internal.store;

import dev.standpipe.spi.Needs;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** One look at all tables that tell of something to do. Thread-safe. */
final class JdbcNeeds implements Needs {
  private final Database database;
  private final boolean versioned;
  private String lastVersion = "";
  private List<Integer> lastLanes = List.of();

  /**
   * Looks in this database.
   *
   * @param versioned whether it can tell cheaply that nothing was written
   */
  JdbcNeeds(Database database, boolean versioned) {
    this.database = database;
    this.versioned = versioned;
  }

  /** A version counts on one connection only; it is read first, so that nothing is missed. */
  @Override
  public synchronized Optional<Seen> look(Collection<Integer> lanes) {
    Rows rows = new Rows("lane integer");
    lanes.forEach(rows::add);
    return database.each(
        session -> {
          String version = versioned ? version(session) : "";
          if (versioned && version.equals(lastVersion) && lastLanes.equals(List.copyOf(lanes))) {
            return Optional.empty();
          }
          Optional<Seen> seen =
              session.query("needs_look").set("lanes", rows).first(JdbcNeeds::seen);
          lastVersion = version;
          lastLanes = List.copyOf(lanes);
          return seen;
        });
  }

  private static String version(Session session) throws SQLException {
    return session.connectionId()
        + session.query("needs_version").first(row -> "-" + row.getString("version")).orElse("");
  }

  private static Seen seen(ResultSet row) throws SQLException {
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
        within(row, "deadline_us"));
  }

  private static Optional<Duration> within(ResultSet row, String column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? Optional.empty() : Optional.of(Micros.duration(micros));
  }
}
