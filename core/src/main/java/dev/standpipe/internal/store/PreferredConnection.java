package dev.standpipe.internal.store;

import java.sql.SQLException;

/**
 * A connection of one's own where the pool has one to spare, a shared one otherwise: with a pool of
 * two, everything but the heartbeat goes through the same connection, one after the other.
 */
public final class PreferredConnection implements Connections {
  private final OwnedConnection own;
  private final Connections shared;

  /** Prefers the first to the second. */
  public PreferredConnection(OwnedConnection own, Connections shared) {
    this.own = own;
    this.shared = shared;
  }

  @Override
  public <T> T use(Work<T> work) throws SQLException {
    return own.isOpen() ? own.use(work) : shared.use(work);
  }

  @Override
  public void close() {
    own.close();
  }
}
