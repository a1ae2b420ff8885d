package dev.standpipe.bench.raw;

import java.sql.SQLException;
import java.util.List;

/** Commits outcomes, on a connection of its own. Not thread-safe. */
interface Settler extends AutoCloseable {
  /**
   * Commits them in one go.
   *
   * @return what this process holds next
   */
  List<Held> settle(List<Outcome> outcomes) throws SQLException;

  @Override
  void close() throws SQLException;
}
