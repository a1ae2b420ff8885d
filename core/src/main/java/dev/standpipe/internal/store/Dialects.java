package dev.standpipe.internal.store;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
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

  /** Asks the database what it is. */
  public static Dialect of(DataSource source) {
    try (Connection connection = source.getConnection()) {
      String product = connection.getMetaData().getDatabaseProductName();
      return switch (product) {
        case "PostgreSQL" -> new PostgresDialect();
        case "SQLite" -> new SqliteDialect();
        default -> throw unsupported(product);
      };
    } catch (SQLException e) {
      throw new StoreException(SqlFailure.CONNECTION, e);
    }
  }

  private static StandpipeException unsupported(String product) {
    return new StandpipeException(
        ErrorCode.UNSUPPORTED_DATABASE,
        "Standpipe has no store for \""
            + product
            + "\": use PostgreSQL 13 or newer, or SQLite 3.51 or newer.");
  }
}
