package dev.standpipe.internal.store.sqlite;

import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.Rows;
import dev.standpipe.internal.store.SqlFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;

/** What is particular to SQLite. */
public final class SqliteDialect implements Dialect {
  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final int BUSY = 5;
  private static final int LOCKED = 6;

  @Override
  public String name() {
    return "sqlite";
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("pragma busy_timeout = 30000");
      statement.execute("pragma journal_mode = wal");
      statement.execute("pragma synchronous = full");
    }
  }

  @Override
  public void begin(Connection connection) throws SQLException {
    execute(connection, "begin immediate");
  }

  @Override
  public void commit(Connection connection) throws SQLException {
    execute(connection, "commit");
  }

  @Override
  public void rollback(Connection connection) throws SQLException {
    execute(connection, "rollback");
  }

  @Override
  public boolean writesInOneStatement() {
    return false;
  }

  @Override
  public void bindColumn(PreparedStatement statement, int position, Rows rows, int column) {
    throw new UnsupportedOperationException("SQLite takes rows as JSON");
  }

  @Override
  public void bindRows(PreparedStatement statement, int position, Rows rows) throws SQLException {
    ArrayNode json = MAPPER.createArrayNode();
    for (int i = 0; i < rows.size(); i++) {
      ArrayNode row = json.addArray();
      for (int column = 0; column < rows.width(); column++) {
        row.addPOJO(plain(rows.value(i, column)));
      }
    }
    statement.setString(position, MAPPER.writeValueAsString(json));
  }

  @Override
  public void bind(PreparedStatement statement, int position, @Nullable Object value)
      throws SQLException {
    statement.setObject(position, plain(value));
  }

  /** BEGIN IMMEDIATE has made this the only writer already. */
  @Override
  public void lockSchema(Connection connection) {}

  @Override
  public int committers() {
    return 1;
  }

  @Override
  public SqlFailure classify(SQLException error) {
    return switch (error.getErrorCode() & 0xff) {
      case BUSY, LOCKED -> SqlFailure.TRANSIENT;
      default -> SqlFailure.OTHER;
    };
  }

  private static @Nullable Object plain(@Nullable Object value) {
    if (value instanceof UUID id) {
      return id.toString();
    }
    return value instanceof Boolean flag ? (Object) (flag ? 1 : 0) : value;
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
