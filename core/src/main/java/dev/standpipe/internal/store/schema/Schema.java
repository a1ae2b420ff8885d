package dev.standpipe.internal.store.schema;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.StoreFailure;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.jdbc.Capability;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.SqlConstants;
import dev.standpipe.internal.store.jdbc.Tables;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Brings the tables to the version this code needs. The first version is {@code schema.sql}; each
 * later one is a file that changes it. Each is applied once, in order, in one transaction under a
 * lock, so that any number of processes may start at once. Views are made anew after any of them.
 */
public final class Schema {
  /** What to do with the tables of a snapshot before the first release. */
  public static final String AFTER_A_SNAPSHOT =
      "Let its runs end with that snapshot, then drop its tables; or leave them, and use another tablePrefix.";

  /**
   * The version of {@code schema.sql}. Snapshots before the first release counted up to below it;
   * see docs/decisions/025.
   */
  private static final int FIRST = 105;

  /** The files of the versions after the first. */
  private static final List<String> LATER = List.of();

  private static final String VERSIONS =
      """
      -- The versions of the tables that have been applied; the highest counts.
      create table if not exists standpipe.schema (
        -- 101 for schema.sql, one more for each change after it.
        version integer primary key
      )""";

  private static final Pattern VIEW = Pattern.compile("create view (\\S+)");

  private final Dialect dialect;
  private final Tables tables;
  private final List<String> later;

  /** The tables named so, in this dialect. */
  public Schema(Dialect dialect, Tables tables) {
    this(
        dialect,
        tables,
        LATER.stream().map(file -> Sql.read(dialect.name() + "/" + file + ".sql")).toList());
  }

  /** The tables as these scripts change them, one for each later version: for tests. */
  public Schema(Dialect dialect, Tables tables, List<String> later) {
    dialect.check(tables);
    this.dialect = dialect;
    this.tables = tables;
    this.later = List.copyOf(later);
  }

  /** All that {@link #migrate} would run on an empty database, as plain SQL. */
  public String export() {
    StringBuilder sql = new StringBuilder();
    tables.schema().ifPresent(s -> sql.append(createSchema(s)).append(";\n\n"));
    sql.append(createVersions()).append(";\n");
    for (int version = FIRST; version <= newest(); version++) {
      sql.append('\n').append(script(version));
      sql.append('\n').append(recordVersion(version)).append(";\n");
    }
    sql.append('\n').append(views());
    if (dialect.has(Capability.COMMENTS)) {
      sql.append('\n');
      comments().forEach(comment -> sql.append(comment).append(";\n"));
    }
    return sql.toString();
  }

  /** The version this code needs. */
  public int newest() {
    return FIRST + later.size();
  }

  /** Whether tables of this version were made by a snapshot before the first release. */
  public static boolean isOfSnapshot(int version) {
    return version > 0 && version < FIRST;
  }

  /**
   * Applies the versions that are missing. If there are none, nothing is locked or written, so that
   * a role that may do neither can start.
   */
  public void migrate(Connections connections) {
    if (requireKnown(current(connections)) == newest()) {
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
          if (version < newest()) {
            upgrade(link, version);
          }
          return version;
        });
  }

  private void upgrade(EngineLink link, int from) throws SQLException {
    if (from >= FIRST) {
      for (String view : viewsLastFirst()) {
        link.execute("drop view if exists " + view);
      }
    }
    for (int version = Math.max(FIRST, from + 1); version <= newest(); version++) {
      run(link, script(version));
      link.execute(recordVersion(version));
    }
    run(link, views());
    if (dialect.has(Capability.COMMENTS)) {
      link.execute(String.join(";\n", comments())); // there are hundreds: all at once
    }
  }

  private static void run(EngineLink link, String script) throws SQLException {
    for (String statement : Sql.split(script)) {
      link.execute(statement);
    }
  }

  /** Refuses a database whose tables this code does not fit, without changing anything. */
  public void check(Connections connections) {
    int version = requireKnown(current(connections));
    if (version < newest()) {
      throw new StandpipeException(
          ErrorCode.SCHEMA_MISMATCH,
          "The tables %s* are at version %d, but this Standpipe needs %d. Run \"standpipe schema\" and apply its SQL, or let Standpipe migrate by itself."
              .formatted(tables.prefix(), version, newest()));
    }
  }

  /** The version of the tables, or 0 if there are none to be read. */
  private int current(Connections connections) {
    try {
      return inTransaction(connections, this::version);
    } catch (StoreException e) {
      if (e.failure() != StoreFailure.OTHER) {
        throw e;
      }
      return 0;
    }
  }

  private int requireKnown(int version) {
    if (isOfSnapshot(version)) {
      throw new StandpipeException(
          ErrorCode.SCHEMA_MISMATCH,
          "The tables %s* were made by a snapshot of Standpipe before its first release (version %d of its counting), which this one cannot use. %s Nothing was changed."
              .formatted(tables.prefix(), version, AFTER_A_SNAPSHOT));
    }
    if (version > newest()) {
      throw new StandpipeException(
          ErrorCode.SCHEMA_MISMATCH,
          "The tables %s* are at version %d, made by a newer Standpipe; this one knows versions up to %d. Upgrade this program; nothing was changed."
              .formatted(tables.prefix(), version, newest()));
    }
    return version;
  }

  private String script(int version) {
    return resolve(
        version == FIRST
            ? Sql.read(dialect.name() + "/schema.sql")
            : later.get(version - FIRST - 1));
  }

  private String views() {
    return resolve(Sql.read(dialect.name() + "/views.sql"));
  }

  private String resolve(String sql) {
    return tables.resolve(SqlConstants.resolve(sql));
  }

  private List<String> viewsLastFirst() {
    List<String> names =
        new ArrayList<>(VIEW.matcher(views()).results().map(view -> view.group(1)).toList());
    Collections.reverse(names);
    return names;
  }

  private List<String> comments() {
    return SchemaComments.of(createVersions() + ";\n" + script(FIRST) + views());
  }

  private String createVersions() {
    return tables.resolve(VERSIONS);
  }

  private static String createSchema(String schema) {
    return "create schema if not exists " + Tables.quoted(schema);
  }

  private String recordVersion(int version) {
    return tables.resolve("insert into standpipe.schema (version) values (" + version + ")");
  }

  private int version(EngineLink link) throws SQLException {
    try (EngineLink.Prepared prepared =
            link.prepare(tables.resolve("select coalesce(max(version), 0) from standpipe.schema"));
        ResultSet row = prepared.rows()) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  private <T> T inTransaction(Connections connections, Connections.LinkWork<T> work) {
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
