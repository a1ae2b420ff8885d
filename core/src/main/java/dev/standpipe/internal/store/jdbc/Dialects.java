package dev.standpipe.internal.store.jdbc;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.store.postgres.PostgresDialect;
import dev.standpipe.internal.store.sqlite.SqliteDialect;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Finds the dialect of a database. */
public final class Dialects {
  private Dialects() {}

  /** The dialect of this name, as the command line knows it. */
  public static Dialect named(String name) {
    return switch (name) {
      case "postgres" -> new PostgresDialect();
      case "sqlite" -> new SqliteDialect();
      default -> throw unsupported(name);
    };
  }

  /** Asks the database what it is, and refuses one that cannot be used before it is changed. */
  public static Dialect of(DataSource source) {
    try (Connection connection = connect(source)) {
      return of(connection);
    } catch (SQLException e) {
      throw StoreException.atFirst(e);
    }
  }

  private static Dialect of(Connection connection) throws SQLException {
    String product = connection.getMetaData().getDatabaseProductName();
    return switch (product) {
      case "PostgreSQL" -> PostgresDialect.of(connection);
      case "SQLite" -> sqlite(connection);
      default -> throw unsupported(product);
    };
  }

  /** Nobody else can write as long as a transaction is open in which it was asked. */
  private static Dialect sqlite(Connection connection) throws SQLException {
    Dialect dialect = SqliteDialect.of(connection);
    if (!connection.getAutoCommit()) {
      connection.rollback();
    }
    return dialect;
  }

  /** A pool that is opened by its first use may throw anything then. */
  private static Connection connect(DataSource source) throws SQLException {
    try {
      return source.getConnection();
    } catch (RuntimeException e) {
      throw new SQLException("The data source gave no connection: " + e.getMessage(), "08001", e);
    }
  }

  private static StandpipeException unsupported(String product) {
    return new StandpipeException(
        ErrorCode.UNSUPPORTED_DATABASE,
        "Standpipe has no store for \""
            + product
            + "\": use PostgreSQL 13 or newer, or SQLite 3.42 or newer.");
  }
}
