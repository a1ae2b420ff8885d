package dev.standpipe.internal.store.transaction;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.PooledConnections;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.transaction.StepConnection.TransactionDeps;
import dev.standpipe.internal.transaction.CommitFailedException;
import dev.standpipe.internal.transaction.StepTransactions;
import dev.standpipe.spi.TransactionBridge;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Transactions that a framework opens before the body runs, and ends after it. */
public final class BridgedTransactions implements StepTransactions {
  private final TransactionDeps deps;
  private final TransactionBridge bridge;

  public BridgedTransactions(
      TransactionPlace place, Dialect dialect, Sql sql, TransactionBridge bridge) {
    this.deps = new TransactionDeps(dialect, sql, place);
    this.bridge = bridge;
  }

  /** Makes a framework roll back; never seen outside. */
  private static final class TakenBackException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TakenBackException() {
      super("The step's transaction is rolled back", null, false, false);
    }
  }

  @Override
  public void run(TransactionOwner owner, StepWork work) throws Exception {
    BridgedRun one = new BridgedRun(owner.process(), work);
    Exception thrown = null;
    try {
      bridge.inTransaction(one::on);
    } catch (Exception e) {
      thrown = e;
    }
    one.resolve(thrown);
  }

  /** One call of the bridge. */
  private final class BridgedRun {
    private final UUID process;
    private final StepWork work;
    private final Thread thread = Thread.currentThread();
    private @Nullable Exception failure;
    private @Nullable Error error;
    private boolean begun;
    private boolean commits;

    BridgedRun(UUID process, StepWork work) {
      this.process = process;
      this.work = work;
    }

    void on(Connection connection) {
      if (begun || Thread.currentThread() != thread) {
        throw misused("The bridge has to do its work once, and on the thread that called it");
      }
      begun = true;
      try {
        commits = perform(connection);
      } catch (Exception e) {
        failure = e;
      } catch (Error e) {
        error = e;
      }
      if (!commits) {
        throw new TakenBackException();
      }
    }

    private boolean perform(Connection connection) throws Exception {
      EngineLink link = deps.dialect().join(connection);
      if (connection.getAutoCommit()) {
        throw misused(
            "The bridge gave a connection in auto-commit mode, so there is no transaction to join:"
                + " begin one, and give its connection");
      }
      StepConnection transaction = new StepConnection(deps, () -> link);
      transaction.connection();
      try {
        return isOurDatabase(transaction) && work.in(transaction);
      } finally {
        transaction.seal();
        transaction.restore();
      }
    }

    /**
     * This process has just one row, in just one database. It has none any more if others took it
     * for dead: then nothing is done.
     */
    private boolean isOurDatabase(StepConnection transaction) {
      if (knowsProcess(transaction.store())) {
        return true;
      }
      if (knowsProcess(ownStore())) {
        throw misused(
            "The bridge opened a transaction on another database than the one that has Standpipe's"
                + " tables, or does not see them: give Standpipe.on(…) the DataSource that the"
                + " bridge's transactions are on, or name the schema of the tables");
      }
      return false;
    }

    private boolean knowsProcess(Store store) {
      try {
        return store.processes().isKnown(process);
      } catch (StoreException e) {
        if (e.failure() == StoreFailure.OTHER) { // there are no such tables
          return false;
        }
        throw e;
      }
    }

    /** What the bridge has done, by what it has thrown or not. */
    void resolve(@Nullable Exception thrown) throws Exception {
      if (error != null) {
        throw error;
      }
      if (failure != null) {
        throw failure;
      }
      if (!begun) {
        throw thrown != null ? thrown : misused("The bridge has to do the work that it is given");
      }
      if (commits && thrown != null) {
        throw new CommitFailedException(thrown, isLost(thrown));
      }
      if (!commits && thrown == null) {
        throw misused(
            "The bridge has committed though its work threw: let what the work throws pass");
      }
    }
  }

  private Store ownStore() {
    PooledConnections pool = new PooledConnections(deps.place().source(), deps.dialect());
    return new JdbcStore(deps.dialect(), deps.sql(), pool);
  }

  private boolean isLost(Throwable thrown) {
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql) {
        return deps.dialect().classify(sql) == StoreFailure.CONNECTION;
      }
    }
    return false;
  }

  private static StandpipeException misused(String problem) {
    return new StandpipeException(ErrorCode.INVALID_SETTING, problem);
  }

  @Override
  public boolean isConflict(Throwable thrown) {
    return LostRace.causes(thrown, deps.dialect());
  }
}
