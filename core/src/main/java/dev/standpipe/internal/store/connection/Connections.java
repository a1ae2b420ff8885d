package dev.standpipe.internal.store.connection;

import java.sql.SQLException;

/** Where a store's connections come from. Thread-safe. */
public interface Connections extends AutoCloseable {
  /** Work on a connection. */
  @FunctionalInterface
  interface LinkWork<T> {
    /** Does it. */
    T on(EngineLink link) throws SQLException;
  }

  /** Does work on a connection that nobody else uses meanwhile. */
  <T> T use(LinkWork<T> work) throws SQLException;

  /** Whether the work is part of a transaction of somebody else, who will commit it. */
  default boolean joined() {
    return false;
  }

  @Override
  void close();
}
