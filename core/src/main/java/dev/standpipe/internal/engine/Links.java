package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.OwnedConnection;
import dev.standpipe.internal.store.PreferredConnection;
import dev.standpipe.internal.store.Sql;
import dev.standpipe.spi.Store;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/**
 * The connections a process keeps. The heartbeat has one to itself and the work one, from the
 * start; claims and each further committer get their own when the pool has one to spare.
 */
final class Links implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofMillis(200);

  private final OwnedConnection heart;
  private final OwnedConnection main;
  private final List<OwnedConnection> spare = new ArrayList<>();
  private final Store heartStore;
  private final Store claimStore;
  private final List<Store> commitStores = new ArrayList<>();

  Links(DataSource source, Dialect dialect, Sql sql, Duration lease) {
    this.heart = new OwnedConnection(source, dialect, lease);
    this.main = new OwnedConnection(source, dialect);
    this.heartStore = new JdbcStore(dialect, sql, heart);
    this.claimStore = new JdbcStore(dialect, sql, preferred(source, dialect));
    commitStores.add(new JdbcStore(dialect, sql, main));
    if (!dialect.hasOneWriter()) {
      commitStores.add(new JdbcStore(dialect, sql, preferred(source, dialect)));
    }
  }

  private PreferredConnection preferred(DataSource source, Dialect dialect) {
    OwnedConnection own = new OwnedConnection(source, dialect);
    spare.add(own);
    return new PreferredConnection(own, main);
  }

  /** For the lease. */
  Store heart() {
    return heartStore;
  }

  /** For claims and everything else that is not urgent. */
  Store claims() {
    return claimStore;
  }

  /** One for each committer. */
  List<Store> commits() {
    return commitStores;
  }

  /** Takes the connections without which there is no working. */
  void connect() throws SQLException {
    heart.connect();
    main.connect();
  }

  /** Whether those are open without which there is no working, as far as is known. */
  boolean isConnected() {
    return heart.isOpen() && main.isOpen();
  }

  /**
   * One pass: takes those that are missing, if the pool has them; may wait for the pool. Gives them
   * back while there is no working: the pool may be too small for all.
   */
  Duration connectSpare() {
    if (!isConnected()) {
      spare.forEach(OwnedConnection::release);
      return SOON;
    }
    for (OwnedConnection connection : spare) {
      if (!connection.isOpen()) {
        try {
          connection.connect();
        } catch (SQLException e) {
          return RETRY; // the shared connection serves meanwhile
        }
      }
    }
    return RETRY;
  }

  @Override
  public void close() {
    heart.close();
    main.close();
    spare.forEach(OwnedConnection::close);
  }
}
