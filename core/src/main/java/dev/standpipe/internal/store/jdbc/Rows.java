package dev.standpipe.internal.store.jdbc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A set of rows to hand to one statement. Columns have a name and an SQL type. Not thread-safe. */
public final class Rows {
  private final String[] names;
  private final String[] types;
  private final List<@Nullable Object[]> rows = new ArrayList<>();

  /** Columns as {@code "run uuid", "id bigint", …}. */
  public Rows(String... columns) {
    this.names = new String[columns.length];
    this.types = new String[columns.length];
    for (int i = 0; i < columns.length; i++) {
      int space = columns[i].indexOf(' ');
      names[i] = columns[i].substring(0, space);
      types[i] = columns[i].substring(space + 1);
    }
  }

  private Rows(String[] names, String[] types) {
    this.names = names;
    this.types = types;
  }

  public void add(@Nullable Object... row) {
    if (row.length != names.length) {
      throw new IllegalArgumentException("A row of " + row.length + " for " + names.length);
    }
    rows.add(row);
  }

  /** The rows that pass a test. */
  public Rows where(Predicate<@Nullable Object[]> test) {
    Rows some = new Rows(names, types);
    rows.stream().filter(test).forEach(some.rows::add);
    return some;
  }

  /** How many rows there are. */
  public int size() {
    return rows.size();
  }

  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** How many columns there are. */
  public int width() {
    return names.length;
  }

  /** One value. */
  public @Nullable Object value(int row, int column) {
    return rows.get(row)[column];
  }

  public int column(String name) {
    for (int i = 0; i < names.length; i++) {
      if (names[i].equals(name)) {
        return i;
      }
    }
    throw new IllegalArgumentException("No column " + name);
  }

  /** The SQL type of a column; {@code prose} is text that may be altered to fit the database. */
  public String type(int column) {
    return types[column];
  }
}
