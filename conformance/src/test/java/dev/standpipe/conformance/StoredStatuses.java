package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Checker;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * The status of each run is written by whoever changes what it says, and must fit its other rows.
 */
final class StoredStatuses {
  private StoredStatuses() {}

  /** Holds the statuses against the other tables, if they are there. */
  static void assertFit(DataSource source) {
    try (Connection connection = source.getConnection()) {
      if (hasTables(connection)) {
        assertThat(Checker.statuses(connection, "standpipe_")).isEmpty();
      }
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot read the tables", e);
    }
  }

  private static boolean hasTables(Connection connection) throws SQLException {
    try (ResultSet tables =
        connection.getMetaData().getTables(null, null, "standpipe_chained", null)) {
      return tables.next();
    }
  }
}
