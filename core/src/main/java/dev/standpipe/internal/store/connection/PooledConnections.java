package dev.standpipe.internal.store.connection;

import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Borrows a connection for each piece of work, and gives it back as it was. */
public final class PooledConnections implements Connections {
  private final DataSource source;
  private final Dialect dialect;
  private final Taking taking;

  /** Borrows from this source. */
  public PooledConnections(DataSource source, Dialect dialect) {
    this(source, dialect, dialect::borrow);
  }

  private PooledConnections(DataSource source, Dialect dialect, Taking taking) {
    this.source = source;
    this.dialect = dialect;
    this.taking = taking;
  }

  /** Borrows from this source for nothing but reading. */
  public static PooledConnections toRead(DataSource source, Dialect dialect) {
    return new PooledConnections(source, dialect, dialect::look);
  }

  @FunctionalInterface
  private interface Taking {
    EngineLink take(Connection connection) throws SQLException;
  }

  @Override
  public <T> T use(LinkWork<T> work) throws SQLException {
    try (Connection connection = source.getConnection()) {
      EngineLink link = taking.take(connection);
      try {
        return on(link, work);
      } finally {
        ConnectionReturn.restore(link);
      }
    }
  }

  /** A connection that leads nowhere, or to a server that takes no writes, is not lent again. */
  private <T> T on(EngineLink link, LinkWork<T> work) throws SQLException {
    try {
      return work.on(link);
    } catch (SQLException e) {
      if (dialect.classify(e) == StoreFailure.CONNECTION) {
        ConnectionReturn.abort(link.connection());
      }
      throw e;
    }
  }

  @Override
  public void close() {
    // borrows and returns; keeps nothing
  }
}
