package dev.standpipe.internal.doctor;

import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.Sql;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Named statements on one connection, for their rows. Not thread-safe. */
final class Reading {
  private final Connection connection;
  private final Dialect dialect;
  private final Sql sql;

  Reading(Connection connection, Dialect dialect, Sql sql) {
    this.connection = connection;
    this.dialect = dialect;
    this.sql = sql;
  }

  /** Makes an object of a row. */
  @FunctionalInterface
  interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  <T> List<T> list(String name, Map<String, ?> values, Mapper<T> mapper) throws SQLException {
    Sql.Statement statement = sql.get("doctor_" + name);
    List<T> list = new ArrayList<>();
    try (PreparedStatement prepared = connection.prepareStatement(statement.text())) {
      int position = 0;
      for (String parameter : statement.parameters()) {
        dialect.bind(prepared, ++position, values.get(parameter));
      }
      try (ResultSet row = prepared.executeQuery()) {
        while (row.next()) {
          list.add(mapper.map(row));
        }
      }
    }
    return list;
  }
}
