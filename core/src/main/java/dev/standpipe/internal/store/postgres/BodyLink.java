package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.Purpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A connection in whose transaction a body writes first and the engine last. Only the engine's
 * statements are planned as they must be: their settings go in front of the first of them and are
 * gone with the transaction. A search path that the body has changed is set back there too.
 */
final class BodyLink implements EngineLink {
  /** No query, after which the body could not choose another isolation level. */
  private static final String PATH = "show search_path";

  private static final String BEGIN =
      """
      set transaction isolation level read committed, read write;
      set local application_name to 'standpipe %s';
      """
          + PATH;

  private final Connection connection;
  private final @Nullable DriverState state;
  private final String what;
  private String searchPath = "";
  private boolean engineWrites;

  private BodyLink(Connection connection, @Nullable DriverState state, String what) {
    this.connection = connection;
    this.state = state;
    this.what = what;
  }

  /** For a transaction that begins and ends here; the server shows whose it is. */
  static BodyLink on(Connection connection, String what) throws SQLException {
    return new BodyLink(connection, DriverState.take(connection), what);
  }

  /** For a transaction that others have begun and will end. */
  static BodyLink joining(Connection connection) throws SQLException {
    BodyLink link = new BodyLink(connection, null, "");
    link.look(PATH);
    return link;
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Prepared prepare(String sql) throws SQLException {
    if (engineWrites) {
      return new PlainStatement(connection.prepareStatement(sql));
    }
    engineWrites = true;
    return new Fronted(connection.prepareStatement(front() + sql));
  }

  private String front() {
    String path = searchPath.replace("'", "''");
    boolean forTransaction = state == null; // others have more to write in theirs
    return """
        select %s, case when current_setting('search_path') <> '%s'
          then set_config('search_path', '%2$s', %s) end;
        """
        .formatted(PlanSettings.local(Purpose.CALLS), path, forTransaction);
  }

  /** The driver sends its own begin in front. */
  @Override
  public void begin() throws SQLException {
    connection.setAutoCommit(false);
    look(BEGIN.formatted(what.replace("'", "''")));
  }

  private void look(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      boolean rows = statement.execute(sql);
      while (!rows && statement.getUpdateCount() >= 0) {
        rows = statement.getMoreResults();
      }
      try (ResultSet row = statement.getResultSet()) {
        if (row != null && row.next()) {
          searchPath = row.getString(1);
        }
      }
    }
  }

  @Override
  public void beginReading() {
    throw new IllegalStateException("This connection is for writing");
  }

  @Override
  public void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void rollback() throws SQLException {
    connection.rollback();
  }

  @Override
  public void restore() throws SQLException {
    if (state != null) {
      if (!connection.getAutoCommit()) {
        connection.rollback();
        connection.setAutoCommit(true);
      }
      state.restore();
    }
  }

  /** A statement with the settings in front of it. */
  private record Fronted(PreparedStatement statement) implements Prepared {
    @Override
    public ResultSet rows() throws SQLException {
      run();
      ResultSet rows = statement.getResultSet();
      if (rows == null) {
        throw new SQLException("A statement that was to return rows has not");
      }
      return rows;
    }

    @Override
    public int count() throws SQLException {
      run();
      return statement.getUpdateCount();
    }

    private void run() throws SQLException {
      statement.execute();
      statement.getMoreResults();
    }

    @Override
    public void close() throws SQLException {
      statement.close();
    }
  }
}
