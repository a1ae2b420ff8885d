package dev.standpipe.bench.raw;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sets the parameters of a statement one after the other, columns as arrays. */
final class Columns {
  private final PreparedStatement statement;
  private int position;

  Columns(PreparedStatement statement) {
    this.statement = statement;
  }

  <T> Columns add(String type, List<T> rows, Function<T, ? extends @Nullable Object> column)
      throws SQLException {
    @Nullable Object[] values = new Object[rows.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = column.apply(rows.get(i));
    }
    position++;
    statement.setArray(position, statement.getConnection().createArrayOf(type, values));
    return this;
  }

  Columns add(UUID value, int times) throws SQLException {
    for (int i = 0; i < times; i++) {
      position++;
      statement.setObject(position, value);
    }
    return this;
  }
}
