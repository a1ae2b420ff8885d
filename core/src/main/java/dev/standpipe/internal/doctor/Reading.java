package dev.standpipe.internal.doctor;

import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Statements on one connection, for their rows. Not thread-safe. */
final class Reading {
  private final EngineLink link;
  private final Dialect dialect;
  private final Sql sql;

  Reading(EngineLink link, Dialect dialect, Sql sql) {
    this.link = link;
    this.dialect = dialect;
    this.sql = sql;
  }

  /** Makes an object of a row. */
  @FunctionalInterface
  interface RowReader<T> {
    T map(ResultSet row) throws SQLException;
  }

  <T> List<T> list(String name, Map<String, ?> values, RowReader<T> mapper) throws SQLException {
    Sql.Statement statement = sql.get("doctor_" + name);
    try (EngineLink.Prepared prepared = link.prepare(statement.text())) {
      int position = 0;
      for (String parameter : statement.parameters()) {
        dialect.bind(prepared.statement(), ++position, values.get(parameter));
      }
      return rows(prepared, mapper);
    }
  }

  /** The rows of a statement that has no name and no parameters. */
  <T> List<T> list(String text, RowReader<T> mapper) throws SQLException {
    try (EngineLink.Prepared prepared = link.prepare(text)) {
      return rows(prepared, mapper);
    }
  }

  private static <T> List<T> rows(EngineLink.Prepared prepared, RowReader<T> mapper)
      throws SQLException {
    List<T> list = new ArrayList<>();
    try (ResultSet row = prepared.rows()) {
      while (row.next()) {
        list.add(mapper.map(row));
      }
    }
    return list;
  }
}
