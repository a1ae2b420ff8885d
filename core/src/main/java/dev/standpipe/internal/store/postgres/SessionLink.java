package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.Purpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/**
 * A connection of one's own to one server process, for a while: what statements need is set once,
 * and they stay prepared. What was set before is remembered and set again before it goes back.
 */
final class SessionLink implements EngineLink {
  private static final String LOOK =
      """
      select name, setting, source, pg_backend_pid() as pid,
        (select count(*) from pg_prepared_statements where from_sql) as prepared
      from pg_settings where name = any(?)
      """;

  private final Connection connection;
  private final DriverState state;
  private final List<String> undo;

  private SessionLink(Connection connection, DriverState state, List<String> undo) {
    this.connection = connection;
    this.state = state;
    this.undo = undo;
  }

  /**
   * Makes a session of a connection, unless somebody stands between it and the server: a pooler
   * invents the number of the server process that it tells the driver.
   */
  static EngineLink on(Connection connection, Purpose purpose, Duration patience)
      throws SQLException {
    DriverState state = DriverState.take(connection);
    try {
      int millis = state.patience(Math.toIntExact(patience.toMillis()));
      Map<String, String> wanted = new LinkedHashMap<>(PlanSettings.of(purpose));
      wanted.put("default_transaction_isolation", "read committed");
      wanted.put(PlanSettings.IDLE, Integer.toString(millis));
      state.prepareNothing();
      SessionState found = look(connection, wanted);
      if (!found.direct()) {
        return FramedLink.on(connection, state, purpose);
      }
      state.readWrite();
      List<String> undo = new ArrayList<>(found.undo());
      if (found.prepared() == 0 && state.prepareAtOnce()) {
        undo.add("deallocate all"); // the driver notices, and prepares again what others need
      }
      wanted.keySet().retainAll(found.changed());
      SessionLink link = new SessionLink(connection, state, undo);
      link.set(wanted);
      return link;
    } catch (SQLException | RuntimeException e) {
      state.restore();
      throw e;
    }
  }

  /**
   * What was found on a connection.
   *
   * @param direct whether the driver talks to the server itself
   * @param prepared how many statements somebody has prepared by a statement
   * @param changed the settings that have to change
   * @param undo what sets them again
   */
  private record SessionState(
      boolean direct, int prepared, List<String> changed, List<String> undo) {}

  private static SessionState look(Connection connection, Map<String, String> wanted)
      throws SQLException {
    int driverPid =
        connection.isWrapperFor(PGConnection.class)
            ? connection.unwrap(PGConnection.class).getBackendPID()
            : -1;
    boolean direct = true;
    int prepared = 0;
    List<String> changed = new ArrayList<>();
    List<String> undo = new ArrayList<>();
    try (PreparedStatement look = connection.prepareStatement(LOOK)) {
      look.setArray(1, connection.createArrayOf("text", wanted.keySet().toArray()));
      try (ResultSet row = look.executeQuery()) {
        while (row.next()) {
          direct &= row.getInt("pid") == driverPid;
          prepared = row.getInt("prepared");
          String name = row.getString("name");
          String before = row.getString("setting");
          boolean limited = name.equals(PlanSettings.IDLE) && !before.equals("0");
          if (!limited && !before.equals(wanted.get(name))) {
            changed.add(name);
            undo.add(undo(name, before, row.getString("source")));
          }
        }
      }
    }
    return new SessionState(direct, prepared, changed, undo);
  }

  /** What was set for this session is set again; what the server would set, it sets. */
  private static String undo(String name, String before, String source) {
    return source.equals("session")
        ? "select set_config('%s', '%s', false)".formatted(name, before.replace("'", "''"))
        : "reset " + name;
  }

  private void set(Map<String, String> settings) throws SQLException {
    if (!settings.isEmpty()) {
      StringBuilder sql = new StringBuilder("select ");
      settings.forEach(
          (name, value) ->
              sql.append(sql.length() > 7 ? ", " : "")
                  .append("set_config('%s', '%s', false)".formatted(name, value)));
      execute(sql.toString());
    }
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Prepared prepare(String sql) throws SQLException {
    return new PlainStatement(connection.prepareStatement(sql));
  }

  @Override
  public void begin() throws SQLException {
    connection.setAutoCommit(false);
  }

  @Override
  public void beginReading() throws SQLException {
    begin();
    execute("set transaction isolation level repeatable read, read only");
  }

  @Override
  public void commit() throws SQLException {
    connection.commit();
    connection.setAutoCommit(true);
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
    connection.setAutoCommit(true);
  }

  @Override
  public void undoLater(String sql) {
    if (!undo.contains(sql)) {
      undo.add(sql);
    }
  }

  @Override
  public void restore() throws SQLException {
    if (!connection.getAutoCommit()) {
      rollback();
    }
    state.prepareNothing();
    if (!undo.isEmpty()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute(String.join(";\n", undo));
      }
    }
    state.restore();
  }
}
