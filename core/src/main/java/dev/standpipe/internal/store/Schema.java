package dev.standpipe.internal.store;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * Brings the tables to the version this code needs. Each version is a file; each is applied once,
 * in order, in one transaction under a lock, so that any number of processes may start at once.
 */
public final class Schema {
  private static final List<String> VERSIONS =
      List.of(
          "001_initial",
          "002_quarantine",
          "003_operating",
          "004_divert",
          "005_snooze",
          "006_context",
          "007_deadline",
          "008_finish",
          "009_waiting",
          "010_linking",
          "011_calling",
          "012_steering",
          "013_strategies",
          "014_pausing",
          "015_stopped",
          "016_bundling",
          "017_starting_together");

  private final Dialect dialect;
  private final Tables tables;

  /** The tables named so, in this dialect. */
  public Schema(Dialect dialect, Tables tables) {
    dialect.check(tables);
    this.dialect = dialect;
    this.tables = tables;
  }

  /** All that {@link #migrate} would run on an empty database, as plain SQL. */
  public String export() {
    StringBuilder sql = new StringBuilder();
    tables.schema().ifPresent(s -> sql.append(createSchema(s)).append(";\n\n"));
    sql.append(createVersions()).append(";\n");
    for (int version = 1; version <= VERSIONS.size(); version++) {
      sql.append('\n').append(migration(version));
      sql.append('\n').append(recordVersion(version)).append(";\n");
    }
    return sql.toString();
  }

  /** The version this code needs. */
  public int newest() {
    return VERSIONS.size();
  }

  /** Applies the versions that are missing. */
  public void migrate(Connections connections) {
    inTransaction(
        connections,
        connection -> {
          dialect.lockSchema(connection);
          if (tables.schema().isPresent()) {
            execute(connection, createSchema(tables.schema().get()));
          }
          execute(connection, createVersions());
          int version = requireKnown(version(connection));
          while (version < VERSIONS.size()) {
            version++;
            for (String statement : Sql.split(migration(version))) {
              execute(connection, statement);
            }
            execute(connection, recordVersion(version));
          }
          return version;
        });
  }

  /** Refuses a database whose tables this code does not fit, without changing anything. */
  public void check(Connections connections) {
    int version =
        inTransaction(
            connections,
            connection -> {
              try {
                return version(connection);
              } catch (SQLException e) {
                if (dialect.classify(e) == SqlFailure.CONNECTION) {
                  throw e;
                }
                return 0;
              }
            });
    if (requireKnown(version) < VERSIONS.size()) {
      throw new StandpipeException(
          ErrorCode.SCHEMA_MISMATCH,
          "The tables %s* are at version %d, but this Standpipe needs %d. Run \"standpipe schema\" and apply its SQL, or let Standpipe migrate by itself."
              .formatted(tables.prefix(), version, VERSIONS.size()));
    }
  }

  private int requireKnown(int version) {
    if (version > VERSIONS.size()) {
      throw new StandpipeException(
          ErrorCode.SCHEMA_MISMATCH,
          "The tables %s* are at version %d, made by a newer Standpipe; this one knows versions up to %d. Upgrade this program; nothing was changed."
              .formatted(tables.prefix(), version, VERSIONS.size()));
    }
    return version;
  }

  private String migration(int version) {
    String file = dialect.name() + "/migrations/" + VERSIONS.get(version - 1) + ".sql";
    return tables.resolve(Sql.read(file));
  }

  private String createVersions() {
    return tables.resolve(
        "create table if not exists standpipe.schema (version integer primary key)");
  }

  private static String createSchema(String schema) {
    return "create schema if not exists " + schema;
  }

  private String recordVersion(int version) {
    return tables.resolve("insert into standpipe.schema (version) values (" + version + ")");
  }

  private int version(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                tables.resolve("select coalesce(max(version), 0) from standpipe.schema"))) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private <T> T inTransaction(Connections connections, Connections.Work<T> work) {
    try {
      return connections.use(
          connection -> {
            dialect.begin(connection);
            try {
              T result = work.on(connection);
              dialect.commit(connection);
              return result;
            } catch (SQLException | RuntimeException e) {
              dialect.rollback(connection);
              throw e;
            }
          });
    } catch (SQLException e) {
      throw new StoreException(dialect.classify(e), e);
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
