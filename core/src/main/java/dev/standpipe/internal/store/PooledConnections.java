package dev.standpipe.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Borrows a connection for each piece of work. */
public final class PooledConnections implements Connections {
  private final DataSource source;
  private final Dialect dialect;

  /** Borrows from this source. */
  public PooledConnections(DataSource source, Dialect dialect) {
    this.source = source;
    this.dialect = dialect;
  }

  @Override
  public <T> T use(Work<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      if (!autoCommit) {
        connection.setAutoCommit(true);
      }
      dialect.prepare(connection);
      T result = work.on(connection);
      if (!autoCommit) {
        connection.setAutoCommit(false);
      }
      return result;
    }
  }

  @Override
  public void close() {
    // borrows and returns; keeps nothing
  }
}
