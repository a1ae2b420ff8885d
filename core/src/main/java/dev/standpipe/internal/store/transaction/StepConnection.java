package dev.standpipe.internal.store.transaction;

import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.store.JdbcStore;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.JoinedConnection;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.transaction.BodyTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A transaction on one connection, which is taken when the body first asks for it. Used by one
 * thread; the body may hand the connection to others.
 */
final class StepConnection implements BodyTransaction {
  private final TransactionDeps deps;
  private final Beginning beginning;
  private final Set<Runnable> afterCommit = new LinkedHashSet<>();
  private @Nullable EngineLink link;
  private @Nullable GuardedConnection guarded;
  private volatile boolean sealed;
  private volatile boolean lost;

  /** Takes the connection, with the transaction begun. */
  @FunctionalInterface
  interface Beginning {
    EngineLink take() throws SQLException;
  }

  /**
   * What a transaction is made with.
   *
   * @param dialect how the database speaks
   * @param sql the engine's statements
   * @param place the database and the tables
   */
  record TransactionDeps(Dialect dialect, Sql sql, TransactionPlace place) {}

  StepConnection(TransactionDeps deps, Beginning beginning) {
    this.deps = deps;
    this.beginning = beginning;
  }

  @Override
  public synchronized Connection connection() {
    if (guarded == null) {
      open();
    }
    return opened(guarded).connection();
  }

  private void open() {
    if (sealed) {
      throw new IllegalStateException(
          "The body has returned, and its transaction is over: ask for the connection before");
    }
    try {
      EngineLink taken = beginning.take();
      this.link = taken;
      boolean isolates = deps.dialect().has(Capability.MANY_WRITERS);
      this.guarded = new GuardedConnection(taken.connection(), isolates);
    } catch (SQLException e) {
      lost = deps.dialect().classify(e) == StoreFailure.CONNECTION;
      throw new StoreException(deps.dialect().classify(e), e).forCallers();
    }
  }

  private static <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("No transaction was opened");
    }
    return part;
  }

  @Override
  public synchronized boolean isOpen() {
    return link != null;
  }

  @Override
  public Store store() {
    return new JdbcStore(deps.dialect(), deps.sql(), new JoinedConnection(connection()));
  }

  @Override
  public Tasks settling() {
    JoinedConnection behindGuard = JoinedConnection.on(opened(link));
    return new JdbcStore(deps.dialect(), deps.sql(), behindGuard).tasks();
  }

  /** The connection in the engine's hands. */
  EngineLink link() {
    return opened(link);
  }

  @Override
  public synchronized void seal() {
    sealed = true;
    if (guarded != null) {
      guarded.seal();
    }
  }

  /** Sets back what the body has set. */
  void restore() throws SQLException {
    opened(guarded).restore();
  }

  /** Notes that the database does not answer any more. */
  void lose() {
    lost = true;
  }

  @Override
  public boolean isLost() {
    return lost;
  }

  @Override
  public void afterCommit(Runnable action) {
    afterCommit.add(action);
  }

  @Override
  public void committed() {
    afterCommit.forEach(Runnable::run);
  }

  @Override
  public boolean isAt(Object place) {
    return deps.place().equals(place);
  }
}
