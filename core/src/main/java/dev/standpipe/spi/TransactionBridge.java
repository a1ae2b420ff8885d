package dev.standpipe.spi;

import java.sql.Connection;

/**
 * Opens the transactions of transactional steps as a framework does, so that whatever goes through
 * the framework takes part: JPA, jOOQ, MyBatis, JdbcTemplate. Without one, Standpipe takes a
 * connection from its {@code DataSource}.
 *
 * <p>With Spring:
 *
 * <pre>{@code
 * TransactionBridge bridge = work -> transactionTemplate.executeWithoutResult(status -> {
 *   Connection connection = DataSourceUtils.getConnection(dataSource);
 *   try {
 *     work.on(connection);
 *   } finally {
 *     DataSourceUtils.releaseConnection(connection, dataSource);
 *   }
 * });
 * }</pre>
 *
 * <p>Called on the thread of the body, by many threads at once.
 */
@FunctionalInterface
public interface TransactionBridge {
  /**
   * Begins a new transaction, does the work on its connection and on this thread, and commits.
   * Returns only if the commit has succeeded. If the work throws, rolls back and throws that again;
   * if the commit fails, throws why.
   */
  void inTransaction(BridgedWork work);

  /** A body, and what commits its step. */
  @FunctionalInterface
  interface BridgedWork {
    /**
     * Does it, once.
     *
     * @param connection the transaction's, not in auto-commit mode, to the database that has
     *     Standpipe's tables
     */
    void on(Connection connection);
  }
}
