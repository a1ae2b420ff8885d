package dev.standpipe.internal.store.jdbc;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** How the SQL of a dialect takes a set of rows: in one of these two ways, in all statements. */
public sealed interface RowBinding {
  /** Column by column, each an array: {@code :tasks.run}. */
  @FunctionalInterface
  non-sealed interface ByColumn extends RowBinding {
    /** Binds one column. */
    void bind(PreparedStatement statement, int position, Rows rows, int column) throws SQLException;
  }

  /** As a whole: {@code :tasks}. */
  @FunctionalInterface
  non-sealed interface Whole extends RowBinding {
    /** Binds all of them. */
    void bind(PreparedStatement statement, int position, Rows rows) throws SQLException;
  }
}
