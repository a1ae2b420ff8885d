package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.EngineLink;
import java.sql.SQLException;

/** Runs named statements of one dialect on connections of one kind. Thread-safe. */
public final class Database {
  private final Dialect dialect;
  private final Sql sql;
  private final Connections connections;

  public Database(Dialect dialect, Sql sql, Connections connections) {
    this.dialect = dialect;
    this.sql = sql;
    this.connections = connections;
  }

  /** Several statements in a transaction. */
  @FunctionalInterface
  public interface SessionWork<T> {
    T in(Session session) throws SQLException;
  }

  public Dialect dialect() {
    return dialect;
  }

  /** Runs a statement, or several that only read, each in a transaction of its own. */
  public <T> T autocommit(SessionWork<T> work) {
    return guarded(link -> work.in(new Session(link, dialect, sql)));
  }

  /** Runs statements in one transaction: all take effect or none. */
  public <T> T inTransaction(SessionWork<T> work) {
    if (connections.joined()) {
      return autocommit(work);
    }
    return guarded(
        link -> {
          link.begin();
          try {
            T result = work.in(new Session(link, dialect, sql));
            link.commit();
            return result;
          } catch (SQLException | RuntimeException | Error e) {
            rollback(link, e);
            throw e;
          }
        });
  }

  private <T> T guarded(Connections.LinkWork<T> work) {
    try {
      return connections.use(work);
    } catch (SQLException e) {
      throw new StoreException(dialect.classify(e), e);
    }
  }

  private static void rollback(EngineLink link, Throwable because) {
    try {
      link.rollback();
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  public void close() {
    connections.close();
  }
}
