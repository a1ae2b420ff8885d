package dev.standpipe.internal.store.jdbc;

import dev.standpipe.internal.store.connection.EngineLink;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A named statement with its parameters. Not thread-safe. */
public final class Query {
  private final EngineLink link;
  private final Dialect dialect;
  private final Sql.Statement statement;
  private final Map<String, @Nullable Object> values = new HashMap<>();

  Query(EngineLink link, Dialect dialect, Sql.Statement statement) {
    this.link = link;
    this.dialect = dialect;
    this.statement = statement;
  }

  /** Makes an object of a row. */
  @FunctionalInterface
  public interface Mapper<T> {
    T map(ResultSet row) throws SQLException;
  }

  /** Does something with a row. */
  @FunctionalInterface
  public interface Visitor {
    void visit(ResultSet row) throws SQLException;
  }

  public Query set(String name, @Nullable Object value) {
    values.put(name, value);
    return this;
  }

  /** Runs it for its effect; returns how many rows it touched. */
  public int update() throws SQLException {
    try (EngineLink.Prepared prepared = prepare()) {
      return prepared.count();
    }
  }

  /** Runs it for its rows. */
  public <T> List<T> list(Mapper<T> mapper) throws SQLException {
    List<T> list = new ArrayList<>();
    forEach(row -> list.add(mapper.map(row)));
    return list;
  }

  /** Runs it for its one row. */
  public <T> Optional<T> first(Mapper<T> mapper) throws SQLException {
    try (EngineLink.Prepared prepared = prepare();
        ResultSet rows = prepared.rows()) {
      return rows.next() ? Optional.of(mapper.map(rows)) : Optional.empty();
    }
  }

  /** Runs it and hands out its rows one by one. */
  public void forEach(Visitor visitor) throws SQLException {
    try (EngineLink.Prepared prepared = prepare();
        ResultSet rows = prepared.rows()) {
      while (rows.next()) {
        visitor.visit(rows);
      }
    }
  }

  private EngineLink.Prepared prepare() throws SQLException {
    EngineLink.Prepared prepared = link.prepare(statement.text());
    try {
      for (int i = 0; i < statement.parameters().size(); i++) {
        bind(prepared.statement(), i + 1, statement.parameters().get(i));
      }
      return prepared;
    } catch (SQLException | RuntimeException e) {
      prepared.close();
      throw e;
    }
  }

  private void bind(PreparedStatement prepared, int position, String parameter)
      throws SQLException {
    int dot = parameter.indexOf('.');
    String name = dot < 0 ? parameter : parameter.substring(0, dot);
    if (!values.containsKey(name)) {
      throw new IllegalArgumentException(statement.name() + " needs a value for :" + parameter);
    }
    Object value = values.get(name);
    if (value instanceof Rows rows) {
      bind(prepared, position, parameter, rows);
    } else {
      dialect.bind(prepared, position, value);
    }
  }

  private void bind(PreparedStatement prepared, int position, String parameter, Rows rows)
      throws SQLException {
    int dot = parameter.indexOf('.');
    RowBinding binding = dialect.rowBinding();
    if (binding instanceof RowBinding.ByColumn byColumn && dot >= 0) {
      byColumn.bind(prepared, position, rows, rows.column(parameter.substring(dot + 1)));
    } else if (binding instanceof RowBinding.Whole whole && dot < 0) {
      whole.bind(prepared, position, rows);
    } else {
      throw new IllegalArgumentException(
          "%s names rows as :%s, which is not how %s takes them"
              .formatted(statement.name(), parameter, dialect.name()));
    }
  }
}
