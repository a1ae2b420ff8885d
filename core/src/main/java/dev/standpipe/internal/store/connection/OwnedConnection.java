package dev.standpipe.internal.store.connection;

import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.jdbc.Dialect;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection, kept, so that no exhausted pool can keep the engine from its heartbeat or its
 * commits. Opened when first used, and again after it broke. It is exchanged for another one now
 * and then, so that its pool can see to it: {@link #exchange}.
 */
public final class OwnedConnection implements Connections {
  /** An error that comes back on one connection may be the connection's: a fresh one tells. */
  private static final int MOST_FAILURES = 3;

  private final DataSource source;
  private final Dialect dialect;
  private final Purpose purpose;
  private final Duration patience;

  /** Fair: the listener takes it again at once, and a heartbeat must come in between. */
  private final ReentrantLock lock = new ReentrantLock(true);

  private volatile @Nullable KeptLink held;
  private final AtomicLong openings = new AtomicLong();
  private volatile long usedAt;
  private volatile boolean closed;
  private int failures;

  private record KeptLink(EngineLink link, long since) {}

  /** Takes its connection from this source, and waits long enough for the largest commit. */
  public OwnedConnection(DataSource source, Dialect dialect) {
    this(source, dialect, Purpose.WORK, Duration.ofMinutes(1));
  }

  /** Takes its connection from this source; without an answer for so long, it counts as dead. */
  public OwnedConnection(DataSource source, Dialect dialect, Purpose purpose, Duration patience) {
    this.source = source;
    this.dialect = dialect;
    this.purpose = purpose;
    this.patience = patience;
  }

  @Override
  public <T> T use(LinkWork<T> work) throws SQLException {
    lock.lock();
    try {
      T result = work.on(open());
      failures = 0;
      return result;
    } catch (SQLException e) {
      if (dialect.classify(e) == StoreFailure.CONNECTION || ++failures >= MOST_FAILURES) {
        discard();
      }
      throw e;
    } finally {
      usedAt = System.nanoTime();
      lock.unlock();
    }
  }

  /** Opens the connection, if it is not open. */
  public void connect() throws SQLException {
    use(link -> true);
  }

  /** Whether the connection is open, as far as is known. */
  public boolean isOpen() {
    return held != null;
  }

  /** How often it was opened or exchanged so far. */
  public long openings() {
    return openings.get();
  }

  /** Whether somebody uses it at this moment. */
  boolean isBusy() {
    return lock.isLocked();
  }

  /** How long nobody has used it. */
  Duration unusedFor() {
    return Duration.ofNanos(System.nanoTime() - usedAt);
  }

  /** Whether it has kept its connection for longer than this. */
  boolean isHeldFor(Duration time) {
    KeptLink now = held;
    return now != null && System.nanoTime() - now.since() > time.toNanos();
  }

  /** Reserves it for this thread, if nobody uses it; {@link #leave} has to follow. */
  boolean enterIfFree() {
    return lock.tryLock();
  }

  /** Reserves it for this thread, if it is open; {@link #leave} has to follow. */
  boolean enterIfOpen() {
    if (!isOpen()) {
      return false;
    }
    lock.lock();
    boolean open = isOpen();
    if (!open) {
      leave();
    }
    return open;
  }

  void leave() {
    lock.unlock();
  }

  /**
   * Exchanges a connection that was kept for this long for another one. Gets the new one first: a
   * process that gives up the last one of an exhausted pool may wait for the next in vain.
   */
  public void exchange(Duration keptFor) throws SQLException {
    if (!isHeldFor(keptFor)) {
      return;
    }
    KeptLink fresh = take();
    KeptLink old;
    lock.lock();
    try {
      old = held;
      held = closed ? null : fresh;
    } finally {
      lock.unlock();
    }
    if (closed) {
      ConnectionReturn.giveBack(fresh.link());
    }
    if (old != null) {
      ConnectionReturn.giveBack(old.link());
    }
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
      KeptLink now = held;
      held = null;
      if (now != null) {
        ConnectionReturn.giveBack(now.link());
      }
    } finally {
      lock.unlock();
    }
  }

  private EngineLink open() throws SQLException {
    KeptLink now = held;
    if (now == null) {
      if (closed) {
        throw new SQLException("This Standpipe is closed", "08003");
      }
      now = take();
      held = now;
    }
    return now.link();
  }

  private KeptLink take() throws SQLException {
    Connection connection = source.getConnection();
    openings.incrementAndGet();
    try {
      return new KeptLink(dialect.keep(connection, purpose, patience), System.nanoTime());
    } catch (SQLException | RuntimeException e) {
      ConnectionReturn.close(connection);
      throw e;
    }
  }

  private void discard() {
    KeptLink broken = held;
    held = null;
    failures = 0;
    if (broken != null) {
      ConnectionReturn.discard(broken.link());
    }
  }
}
