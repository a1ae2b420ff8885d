package dev.standpipe.internal.store;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection, kept, so that no exhausted pool can keep the engine from its heartbeat or its
 * commits. Opened when first used, and again after it broke.
 */
public final class OwnedConnection implements Connections {
  private final DataSource source;
  private final Dialect dialect;
  private final Duration patience;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile @Nullable Connection connection;
  private volatile boolean closed;
  private int patienceBefore;

  /** Takes its connection from this source, and waits long enough for the largest commit. */
  public OwnedConnection(DataSource source, Dialect dialect) {
    this(source, dialect, Duration.ofMinutes(1));
  }

  /** Takes its connection from this source; without an answer for so long, it counts as dead. */
  public OwnedConnection(DataSource source, Dialect dialect, Duration patience) {
    this.source = source;
    this.dialect = dialect;
    this.patience = patience;
  }

  @Override
  public <T> T use(Work<T> work) throws SQLException {
    lock.lock();
    try {
      return work.on(open());
    } catch (SQLException e) {
      if (dialect.classify(e) == SqlFailure.CONNECTION) {
        discard();
      }
      throw e;
    } finally {
      lock.unlock();
    }
  }

  /** Opens the connection, if it is not open. */
  public void connect() throws SQLException {
    use(connection -> true);
  }

  /** Whether the connection is open, as far as is known. */
  public boolean isOpen() {
    return connection != null;
  }

  @Override
  public void close() {
    closed = true;
    release();
  }

  /** Gives the connection back to where it came from; the next use opens one again. */
  public void release() {
    lock.lock();
    try {
      Connection open = connection;
      if (open != null) {
        dialect.disown(open, patienceBefore);
      }
    } catch (SQLException e) {
      // it is broken, and its pool will notice
    } finally {
      discard();
      lock.unlock();
    }
  }

  private Connection open() throws SQLException {
    Connection open = connection;
    if (open == null) {
      if (closed) {
        throw new SQLException("This Standpipe is closed", "08003");
      }
      open = source.getConnection();
      try {
        open.setAutoCommit(true);
        patienceBefore = dialect.adopt(open, patience);
      } catch (SQLException e) {
        open.close();
        throw e;
      }
      connection = open;
    }
    return open;
  }

  private void discard() {
    Connection broken = connection;
    connection = null;
    if (broken != null) {
      try {
        broken.close();
      } catch (SQLException e) {
        // it is of no use any more, and its pool notices by itself
      }
    }
  }
}
