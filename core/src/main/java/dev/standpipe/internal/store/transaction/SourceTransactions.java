package dev.standpipe.internal.store.transaction;

import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.connection.ConnectionReturn;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.transaction.StepConnection.TransactionDeps;
import dev.standpipe.internal.transaction.CommitFailedException;
import dev.standpipe.internal.transaction.StepTransactions;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Transactions on connections of the user's source. A connection is taken when a body asks for it,
 * and goes back as it was.
 */
public final class SourceTransactions implements StepTransactions {
  private final TransactionDeps deps;

  public SourceTransactions(TransactionPlace place, Dialect dialect, Sql sql) {
    this.deps = new TransactionDeps(dialect, sql, place);
  }

  @Override
  public void run(TransactionOwner owner, StepWork work) throws Exception {
    StepConnection transaction = new StepConnection(deps, () -> begin(owner.step()));
    boolean commits = false;
    try {
      commits = work.in(transaction);
    } finally {
      transaction.seal();
      if (!commits && transaction.isOpen()) {
        takeBack(transaction);
      }
    }
    if (commits) {
      commit(transaction);
    }
  }

  private EngineLink begin(String step) throws SQLException {
    Connection connection = deps.place().source().getConnection();
    try {
      EngineLink link = deps.dialect().transact(connection, step);
      try {
        link.begin();
        return link;
      } catch (SQLException | RuntimeException | Error e) {
        ConnectionReturn.restore(link);
        throw e;
      }
    } catch (SQLException | RuntimeException | Error e) {
      ConnectionReturn.close(connection);
      throw e;
    }
  }

  /** Whatever becomes of the connection, a transaction that is not committed is undone. */
  private void takeBack(StepConnection transaction) {
    EngineLink link = transaction.link();
    try {
      link.rollback();
    } catch (SQLException e) {
      if (deps.dialect().classify(e) == StoreFailure.CONNECTION) {
        transaction.lose();
      }
      ConnectionReturn.discard(link);
      return;
    }
    giveBack(transaction);
  }

  private void commit(StepConnection transaction) throws CommitFailedException {
    EngineLink link = transaction.link();
    try {
      link.commit();
    } catch (SQLException e) {
      boolean inDoubt = deps.dialect().classify(e) == StoreFailure.CONNECTION;
      if (inDoubt) {
        ConnectionReturn.discard(link);
      } else {
        takeBack(transaction);
      }
      throw new CommitFailedException(e, inDoubt);
    }
    giveBack(transaction);
  }

  private static void giveBack(StepConnection transaction) {
    try {
      transaction.restore();
    } catch (SQLException | RuntimeException e) {
      ConnectionReturn.discard(transaction.link());
      return;
    }
    ConnectionReturn.giveBack(transaction.link());
  }

  @Override
  public boolean isConflict(Throwable error) {
    return LostRace.causes(error, deps.dialect());
  }
}
