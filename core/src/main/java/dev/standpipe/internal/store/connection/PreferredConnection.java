package dev.standpipe.internal.store.connection;

import java.sql.SQLException;
import java.time.Duration;

/**
 * A connection of one's own while there is enough to do for two, a shared one otherwise. With a
 * small pool, or little to do, everything but the heartbeat goes through the same connection, one
 * after the other.
 */
public final class PreferredConnection implements Connections {
  private static final Duration WANTED_FOR = Duration.ofSeconds(5);

  private final OwnedConnection own;
  private final OwnedConnection shared;
  private final Runnable onMissed;
  private volatile long missedAt;
  private volatile boolean missed;

  /**
   * Prefers the first to the second.
   *
   * @param onMissed told when somebody has to wait for the second and the first is not open
   */
  public PreferredConnection(OwnedConnection own, OwnedConnection shared, Runnable onMissed) {
    this.own = own;
    this.shared = shared;
    this.onMissed = onMissed;
  }

  @Override
  public <T> T use(LinkWork<T> work) throws SQLException {
    if (shared.isBusy()) {
      boolean known = isWanted();
      missedAt = System.nanoTime();
      missed = true;
      if (!known) {
        onMissed.run();
      }
    }
    if (own.enterIfOpen()) {
      try {
        return own.use(work);
      } finally {
        own.leave();
      }
    }
    return shared.use(work);
  }

  /** Whether somebody had to wait for the shared one lately, or would have. */
  public boolean isWanted() {
    return missed && System.nanoTime() - missedAt < WANTED_FOR.toNanos();
  }

  /** The one that is preferred. */
  public OwnedConnection own() {
    return own;
  }

  @Override
  public void close() {
    own.close();
  }
}
