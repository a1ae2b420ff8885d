package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.connection.CallConnections;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.connection.PatientSource;
import dev.standpipe.internal.store.connection.PoolSize;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.connection.Purpose;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.Schema;
import dev.standpipe.internal.store.transaction.BridgedTransactions;
import dev.standpipe.internal.store.transaction.SourceTransactions;
import dev.standpipe.internal.store.transaction.TransactionPlace;
import dev.standpipe.internal.transaction.StepTransactions;
import dev.standpipe.spi.TransactionBridge;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How to get to the database.
 *
 * @param source where connections come from
 * @param tables where the tables are
 * @param timeout how long to keep trying
 * @param migrate whether to make and upgrade the tables
 * @param notifications whether to use the database to wake other processes
 * @param outageTolerance how long a call waits while the database is away
 * @param bridge what opens the transactions of steps, if not this does
 */
public record Opening(
    DataSource source,
    Tables tables,
    Duration timeout,
    boolean migrate,
    boolean notifications,
    Duration outageTolerance,
    Optional<TransactionBridge> bridge) {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");

  /** The size of a pool of which one is kept for calls: two more are always free for others. */
  private static final int KEPT_IF_NOT_SERVING = 3;

  private static final int KEPT_IF_SERVING = 4 + KEPT_IF_NOT_SERVING;

  /** Reaches the database, and makes or checks the tables. */
  Dialect prepare() {
    Dialect dialect = Dialects.of(source);
    dialect.caveat().ifPresent(caveat -> LOG.warn("event=database_caveat : {}", caveat));
    Schema schema = new Schema(dialect, tables);
    PooledConnections connections = new PooledConnections(source, dialect);
    requireWritable(dialect, connections);
    if (migrate) {
      schema.migrate(connections);
    } else {
      schema.check(connections);
    }
    return dialect;
  }

  /** Which transactions are on the same database, and on the same tables. */
  TransactionPlace place() {
    return new TransactionPlace(source, tables);
  }

  /** Where transactional bodies write. */
  StepTransactions transactions(Dialect dialect, Sql sql) {
    return bridge
        .<StepTransactions>map(opener -> new BridgedTransactions(place(), dialect, sql, opener))
        .orElseGet(() -> new SourceTransactions(place(), dialect, sql));
  }

  private static void requireWritable(Dialect dialect, PooledConnections connections) {
    try {
      connections.use(
          link -> {
            dialect.requireWritable(link);
            return true;
          });
    } catch (SQLException e) {
      throw new StoreException(dialect.classify(e), e);
    }
  }

  /**
   * Calls wait while the database refuses connections; the engine's parts reconnect by themselves.
   */
  CallConnections calls(Dialect dialect, OutageRetry outages, boolean serves) {
    DataSource patient = new PatientSource(source, outages::reading);
    PooledConnections pool = new PooledConnections(patient, dialect);
    OwnedConnection own =
        new OwnedConnection(patient, dialect, Purpose.CALLS, Duration.ofMinutes(1));
    int sizeToKeepOne = serves ? KEPT_IF_SERVING : KEPT_IF_NOT_SERVING;
    return new CallConnections(dialect, own, pool, PoolSize.canSpareOne(source, sizeToKeepOne));
  }
}
