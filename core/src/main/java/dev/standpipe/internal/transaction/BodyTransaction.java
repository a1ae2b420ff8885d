package dev.standpipe.internal.transaction;

import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.Tasks;
import java.sql.Connection;

/** The transaction of one body, open or to be opened. */
public interface BodyTransaction {
  /** The connection as the body gets it; opens the transaction if need be. */
  Connection connection();

  /** Whether the transaction was opened. */
  boolean isOpen();

  /** Where the body's starts and signals are written; opens the transaction if need be. */
  Store store();

  /** Where the step is settled: the last that is written in the transaction, which is open. */
  Tasks settling();

  /** Takes the connection away from the body. */
  void seal();

  /** Whether the database was lost, and not the body's fault. */
  boolean isLost();

  /** Does this once the transaction is committed; the same twice is done once. */
  void afterCommit(Runnable action);

  /** Does all that was to be done after the commit. */
  void committed();

  /** Whether it is one on this database, and on these tables of it. */
  boolean isAt(Object place);
}
