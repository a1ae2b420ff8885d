package dev.standpipe.internal.store;

import dev.standpipe.ErrorCode;
import dev.standpipe.StandpipeException;
import java.sql.ResultSet;
import java.sql.SQLException;
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
          "017_starting_together",
          "018_operators",
          "019_outages");

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

  /**
   * Applies the versions that are missing. If there are none, nothing is locked or written, so that
   * a role that may do neither can start.
   */
  public void migrate(Connections connections) {
    if (requireKnown(current(connections)) == VERSIONS.size()) {
      return;
    }
    inTransaction(
        connections,
        link -> {
          dialect.lockSchema(link);
          if (tables.schema().isPresent()) {
            link.execute(createSchema(tables.schema().get()));
          }
          link.execute(createVersions());
          int version = requireKnown(version(link));
          while (version < VERSIONS.size()) {
            version++;
            for (String statement : Sql.split(migration(version))) {
              link.execute(statement);
            }
            link.execute(recordVersion(version));
          }
          return version;
        });
  }

  /** Refuses a database whose tables this code does not fit, without changing anything. */
  public void check(Connections connections) {
    int version = requireKnown(current(connections));
    if (version < VERSIONS.size()) {
      throw new StandpipeException(
          ErrorCode.SCHEMA_MISMATCH,
          "The tables %s* are at version %d, but this Standpipe needs %d. Run \"standpipe schema\" and apply its SQL, or let Standpipe migrate by itself."
              .formatted(tables.prefix(), version, VERSIONS.size()));
    }
  }

  /** The version of the tables, or 0 if there are none to be read. */
  private int current(Connections connections) {
    try {
      return inTransaction(connections, this::version);
    } catch (StoreException e) {
      if (e.failure() != SqlFailure.OTHER) {
        throw e;
      }
      return 0;
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
    return "create schema if not exists " + Tables.quoted(schema);
  }

  private String recordVersion(int version) {
    return tables.resolve("insert into standpipe.schema (version) values (" + version + ")");
  }

  private int version(Link link) throws SQLException {
    try (Link.Prepared prepared =
            link.prepare(tables.resolve("select coalesce(max(version), 0) from standpipe.schema"));
        ResultSet row = prepared.rows()) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private <T> T inTransaction(Connections connections, Connections.Work<T> work) {
    try {
      return connections.use(
          link -> {
            link.begin();
            try {
              T result = work.on(link);
              link.commit();
              return result;
            } catch (SQLException | RuntimeException e) {
              link.rollback();
              throw e;
            }
          });
    } catch (SQLException e) {
      throw new StoreException(dialect.classify(e), e);
    }
  }
}
