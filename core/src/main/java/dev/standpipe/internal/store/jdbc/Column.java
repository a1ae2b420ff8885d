package dev.standpipe.internal.store.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads what JDBC drivers return differently. */
public final class Column {
  private Column() {}

  public static UUID uuid(ResultSet row, String column) throws SQLException {
    UUID value = uuidOrNull(row, column);
    if (value == null) {
      throw new SQLException("Column " + column + " is null");
    }
    return value;
  }

  public static @Nullable UUID uuidOrNull(ResultSet row, String column) throws SQLException {
    Object value = row.getObject(column);
    return value == null || value instanceof UUID
        ? (UUID) value
        : UUID.fromString(value.toString());
  }

  public static @Nullable Long longOrNull(ResultSet row, String column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }
}
