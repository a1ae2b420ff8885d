package dev.standpipe.internal.transaction;

import java.util.UUID;

/** Opens the transactions of transactional steps, and ends them. Thread-safe. */
public interface StepTransactions {
  /** A body, and the settlement of its step. */
  @FunctionalInterface
  interface StepWork {
    /** Does it; {@code true} if the transaction is to be committed, {@code false} to undo it. */
    boolean in(BodyTransaction transaction) throws Exception;
  }

  /**
   * Whose transaction it is.
   *
   * @param process the process that settles the step
   * @param step what people call the step, for those who look at the database
   */
  record TransactionOwner(UUID process, String step) {}

  /**
   * Does work in a transaction and commits or rolls back. What the work throws is thrown after the
   * transaction is rolled back.
   *
   * @throws CommitFailedException if the work is done, and the commit failed
   */
  void run(TransactionOwner owner, StepWork work) throws Exception;

  /** Whether another transaction won a race against it: all of it may be done again. */
  boolean isConflict(Throwable error);
}
