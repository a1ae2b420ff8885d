package dev.standpipe.conformance;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;

/** What a database says of the tables and views in it. */
final class Catalogue {
  private static final String PREFIX = "standpipe_";

  private Catalogue() {}

  /** Standpipe's tables, without their prefix, and the columns of each in their order. */
  static Map<String, List<String>> tables(DataSource source) {
    return columns(source, "TABLE");
  }

  /** Standpipe's views, without their prefix, and the columns of each in their order. */
  static Map<String, List<String>> views(DataSource source) {
    return columns(source, "VIEW");
  }

  private static Map<String, List<String>> columns(DataSource source, String type) {
    try (Connection connection = source.getConnection()) {
      DatabaseMetaData data = connection.getMetaData();
      Map<String, List<String>> tables = new TreeMap<>();
      try (ResultSet row = data.getTables(null, null, PREFIX + "%", new String[] {type})) {
        while (row.next()) {
          tables.put(row.getString("TABLE_NAME").substring(PREFIX.length()), new ArrayList<>());
        }
      }
      for (Map.Entry<String, List<String>> table : tables.entrySet()) {
        try (ResultSet row = data.getColumns(null, null, PREFIX + table.getKey(), "%")) {
          while (row.next()) {
            if (row.getString("TABLE_NAME").equals(PREFIX + table.getKey())) {
              table.getValue().add(row.getString("COLUMN_NAME"));
            }
          }
        }
      }
      return tables;
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot read the catalogue", e);
    }
  }
}
