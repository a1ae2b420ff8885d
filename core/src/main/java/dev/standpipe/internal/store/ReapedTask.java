package dev.standpipe.internal.store;

import dev.standpipe.internal.port.Processes.Crashed;
import dev.standpipe.internal.store.jdbc.Column;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * A task that a dead process held.
 *
 * @param crashed the try that ended with it
 * @param spent whether its crash limit is reached
 */
record ReapedTask(Crashed crashed, boolean spent) {
  static ReapedTask of(ResultSet row) throws SQLException {
    return new ReapedTask(
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
