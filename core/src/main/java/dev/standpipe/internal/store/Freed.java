package dev.standpipe.internal.store;

import dev.standpipe.spi.Processes.Crashed;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A task that a dead process held.
 *
 * @param crashed the try that ended with it
 * @param spent whether its crash limit is reached
 */
record Freed(Crashed crashed, boolean spent) {
  static Freed of(ResultSet row) throws SQLException {
    return new Freed(
        new Crashed(
            Column.uuid(row, "run_id"),
            row.getString("node"),
            row.getInt("idx"),
            row.getLong("token"),
            row.getInt("attempt"),
            row.getInt("crashes")),
        row.getBoolean("spent"));
  }
}
