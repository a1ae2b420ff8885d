package dev.standpipe.internal.engine.lease;

import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.connection.PreferredConnection;
import dev.standpipe.internal.store.connection.Purpose;
import dev.standpipe.internal.store.connection.UninterruptedConnections;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The connections a process keeps. From the start, the heartbeat has one, which also listens for
 * notifications, and the work has one. Claims and each further committer get their own while there
 * is much to do, if the pool has enough for others besides. Each goes back after a while, for
 * another one: its pool has to check it, to retire it, and to see that it is not lost.
 */
public final class EngineConnections implements AutoCloseable {
  private static final Duration SOON = Duration.ofMillis(200);
  private static final Duration KEPT_FOR = Duration.ofSeconds(30);

  /** A heartbeat is a small thing, and a listener has to notice that it hears nothing any more. */
  private static final Duration HEART_PATIENCE = Duration.ofSeconds(6);

  /** The heartbeat's, the work's, and two that the application always finds free. */
  private static final int ALWAYS = 4;

  private final OwnedConnection heartbeat;
  private final OwnedConnection main;
  private final List<PreferredConnection> spare = new ArrayList<>();
  private final Store heartStore;
  private final Store claimStore;
  private final List<Store> commitStores = new ArrayList<>();
  private final int spareAtMost;
  private final Runnable wakeTender;

  /**
   * Takes connections when asked to.
   *
   * @param poolSize how many connections the source has to give
   * @param wakeTender has {@link #tend} called soon, when a further connection is wanted
   */
  public EngineConnections(
      DataSource source,
      Dialect dialect,
      Sql sql,
      Duration lease,
      int poolSize,
      Runnable wakeTender) {
    this.wakeTender = wakeTender;
    Duration patience = lease.compareTo(HEART_PATIENCE) < 0 ? lease : HEART_PATIENCE;
    this.heartbeat = new OwnedConnection(source, dialect, Purpose.WORK, patience);
    this.main = new OwnedConnection(source, dialect);
    this.spareAtMost = Math.max(0, poolSize - ALWAYS);
    this.heartStore = new JdbcStore(dialect, sql, heartbeat);
    Connections claims = new UninterruptedConnections(preferred(source, dialect));
    this.claimStore = new JdbcStore(dialect, sql, claims);
    commitStores.add(new JdbcStore(dialect, sql, main));
    if (dialect.has(Capability.MANY_WRITERS)) {
      commitStores.add(new JdbcStore(dialect, sql, preferred(source, dialect)));
    }
  }

  private PreferredConnection preferred(DataSource source, Dialect dialect) {
    PreferredConnection one =
        new PreferredConnection(new OwnedConnection(source, dialect), main, wakeTender);
    spare.add(one);
    return one;
  }

  /** For the lease. */
  public Store heartbeat() {
    return heartStore;
  }

  /** Where hints are listened for: beside the heartbeat, which needs it for a moment at a time. */
  public Connections listening() {
    return heartbeat;
  }

  /** For claims and everything else that is not urgent; safe for threads that are interrupted. */
  public Store claims() {
    return claimStore;
  }

  /** One for each committer. */
  public List<Store> commits() {
    return commitStores;
  }

  /** Takes the connections without which there is no working. */
  public void connect() throws SQLException {
    heartbeat.connect();
    main.connect();
  }

  /** Whether those are open without which there is no working, as far as is known. */
  public boolean isConnected() {
    return heartbeat.isOpen() && main.isOpen();
  }

  /**
   * How often those were opened so far without which there is no working. Each opening may have led
   * to another server than the last, and to one that knows less. The others come and go with the
   * load, and none of them outlives these two by long.
   */
  public long openings() {
    return heartbeat.openings() + main.openings();
  }

  /**
   * One pass: takes connections that are wanted, gives back those that are not, and exchanges those
   * that were kept for long; may wait for the pool. Gives all but two back while there is no
   * working: the pool may be too small for all.
   */
  public Duration tend() {
    if (!isConnected()) {
      spare.forEach(one -> one.own().release());
      return SOON;
    }
    try {
      heartbeat.exchange(KEPT_FOR);
      main.exchange(KEPT_FOR);
      for (int i = 0; i < spare.size(); i++) {
        PreferredConnection one = spare.get(i);
        if (i >= spareAtMost || !one.isWanted()) {
          one.own().release();
        } else {
          one.own().connect();
          one.own().exchange(KEPT_FOR);
        }
      }
    } catch (SQLException e) {
      // those there are serve meanwhile
    }
    return SOON;
  }

  @Override
  public void close() {
    heartbeat.close();
    main.close();
    spare.forEach(PreferredConnection::close);
  }
}
