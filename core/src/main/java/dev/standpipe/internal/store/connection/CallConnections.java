package dev.standpipe.internal.store.connection;

import dev.standpipe.internal.store.jdbc.Dialect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The connections of those who call from outside: each call borrows one, but while calls come thick
 * and fast one is kept for a while, on which statements stay prepared. A call that finds it in use
 * borrows another: no call waits for it.
 */
public final class CallConnections implements Connections {
  private static final Duration QUICK = Duration.ofMillis(100);
  private static final Duration IDLE = Duration.ofMillis(250);
  private static final Duration KEPT_FOR = Duration.ofSeconds(20);
  private static final int MANY = 8;
  private static final int MOST_TRIES = 10;
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(2);

  private final Dialect dialect;
  private final OwnedConnection own;
  private final Connections pool;
  private final boolean mayKeep;
  private final AtomicInteger quickCalls = new AtomicInteger();
  private volatile long calledAt = System.nanoTime();

  /** Borrows from the second, and keeps the first if it may. */
  public CallConnections(Dialect dialect, OwnedConnection own, Connections pool, boolean mayKeep) {
    this.dialect = dialect;
    this.own = own;
    this.pool = pool;
    this.mayKeep = mayKeep;
  }

  /** Does it again, as a whole, if it lost a race: nobody outside can know what that means. */
  @Override
  public <T> T use(LinkWork<T> work) throws SQLException {
    for (int tries = 1; ; tries++) {
      try {
        return once(work);
      } catch (SQLException e) {
        if (tries == MOST_TRIES
            || !dialect.isConflict(e)
            || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(tries * LONGEST_PAUSE.toNanos()));
    }
  }

  private <T> T once(LinkWork<T> work) throws SQLException {
    if (!mayKeep || !isOften() || !own.enterIfFree()) {
      return pool.use(work);
    }
    try {
      releaseIfStale();
      return own.use(work);
    } finally {
      own.leave();
    }
  }

  private boolean isOften() {
    long now = System.nanoTime();
    boolean quick = now - calledAt < QUICK.toNanos();
    calledAt = now;
    if (!quick) {
      quickCalls.set(0);
      return own.isOpen() && own.unusedFor().compareTo(IDLE) < 0;
    }
    return quickCalls.get() >= MANY || quickCalls.incrementAndGet() >= MANY;
  }

  /** Gives the kept one back if nobody needs it any more, or it was kept for long. */
  public void tend() {
    if (own.isOpen() && own.enterIfFree()) {
      try {
        releaseIfStale();
      } finally {
        own.leave();
      }
    }
  }

  /** What has not been used for a while may have died meanwhile: the pool knows how to find out. */
  private void releaseIfStale() {
    if (own.isHeldFor(KEPT_FOR) || (own.isOpen() && own.unusedFor().compareTo(IDLE) > 0)) {
      own.release();
    }
  }

  @Override
  public void close() {
    own.close();
    pool.close();
  }
}
