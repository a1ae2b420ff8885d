package dev.standpipe.conformance.store.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.conformance.fixture.Catalogue;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.fixture.StorePart;
import dev.standpipe.conformance.fixture.Success;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.store.connection.Connections;
import dev.standpipe.internal.store.connection.OwnedConnection;
import dev.standpipe.internal.store.jdbc.Dialect;
import dev.standpipe.internal.store.jdbc.Dialects;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.RunTables;
import dev.standpipe.internal.store.schema.Schema;
import dev.standpipe.internal.store.schema.SchemaComments;
import dev.standpipe.operate.Finding;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The tables themselves. */
public interface SchemaContract extends StorePart {
  @Test
  default void everyStatementPreparesOnTheRealDatabase() throws SQLException {
    Sql sql = new Sql(db().dialect().name(), Tables.DEFAULT);
    assertThat(sql.all()).hasSizeGreaterThan(30);
    try (Connection connection = db().source().getConnection()) {
      for (Sql.Statement statement : sql.all().values()) {
        try (PreparedStatement prepared = connection.prepareStatement(statement.text())) {
          assertThat(prepared.getParameterMetaData().getParameterCount())
              .as(statement.name())
              .isEqualTo(statement.parameters().size());
        }
      }
    }
  }

  @Test
  default void migratingAgainIsHarmless() {
    db().start();
    var before = db().dump();
    migrate(db().source());
    migrate(db().source());
    assertThat(db().dump()).isEqualTo(before);
    int newest = new Schema(db().dialect(), Tables.DEFAULT).newest();
    assertThat(db().query("select version from standpipe.schema order by version"))
        .containsExactly(String.valueOf(newest));
  }

  @Test
  default void tenProcessesMayMigrateAnEmptyDatabaseAtOnce() {
    DataSource empty = emptyDatabase();
    Racers.race(
        10,
        number -> {
          migrate(empty);
          return true;
        });
    worksOn(empty);
  }

  @Test
  default void tablesOfANewerVersionAreRefused() {
    db().execute("insert into standpipe.schema (version) values (999)");
    var before = db().dump();
    for (boolean migrate : new boolean[] {true, false}) {
      assertThatThrownBy(
              () -> {
                if (migrate) {
                  migrate(db().source());
                } else {
                  check(db().source());
                }
              })
          .isInstanceOfSatisfying(
              StandpipeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
          .hasMessageContaining("version 999")
          .hasMessageContaining("Upgrade this program");
    }
    assertThat(db().dump()).isEqualTo(before);
  }

  @Test
  default void anEmptyDatabaseDoesNotPassTheCheck() {
    DataSource empty = emptyDatabase();
    assertThatThrownBy(() -> check(empty))
        .isInstanceOfSatisfying(
            StandpipeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
        .hasMessageContaining("standpipe_*")
        .hasMessageContaining("version 0")
        .hasMessageContaining("standpipe schema");
    migrate(empty);
    check(empty);
  }

  @Test
  default void theExportedScriptMakesAWorkingStore() throws SQLException {
    DataSource empty = emptyDatabase();
    String script = new Schema(Dialects.of(empty), Tables.DEFAULT).export();
    execute(empty, script);
    check(empty);
    worksOn(empty);
  }

  @Test
  default void tablesOfAnEarlySnapshotAreRefused() throws SQLException {
    for (int version : new int[] {1, 19, 99}) {
      DataSource old = emptyDatabase();
      execute(
          old,
          """
          create table standpipe_schema (version integer primary key);
          insert into standpipe_schema (version) values (%d);
          create table standpipe_run (id text primary key)"""
              .formatted(version));
      assertThatThrownBy(() -> migrate(old)).satisfies(SchemaContract::namesTheSnapshot);
      assertThatThrownBy(() -> check(old)).satisfies(SchemaContract::namesTheSnapshot);
      assertThat(findings(old, Tables.DEFAULT))
          .singleElement()
          .satisfies(
              finding -> {
                assertThat(finding.check()).isEqualTo("schema_version");
                assertThat(finding.remedy()).contains("snapshot", "tablePrefix");
              });
      assertThatThrownBy(() -> execute(old, "select 1 from standpipe_task"))
          .isInstanceOf(SQLException.class);
    }
  }

  private static void namesTheSnapshot(Throwable error) {
    assertThat(error)
        .isInstanceOfSatisfying(
            StandpipeException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.SCHEMA_MISMATCH))
        .hasMessageContaining("snapshot")
        .hasMessageContaining("drop its tables")
        .hasMessageContaining("another tablePrefix");
  }

  @Test
  default void migrationKeepsTheRowsOfOlderTables() {
    UUID run = db().start();
    int first = new Schema(db().dialect(), Tables.DEFAULT).newest();
    Schema next =
        new Schema(
            db().dialect(),
            Tables.DEFAULT,
            List.of(
                """
                alter table standpipe.run add column colour text;
                update standpipe.run set colour = 'blue';
                """));
    assertThat(next.newest()).isEqualTo(first + 1);
    try (Connections connections = new OwnedConnection(db().source(), db().dialect())) {
      assertThatThrownBy(() -> next.check(connections))
          .hasMessageContaining("version " + first)
          .hasMessageContaining("needs " + (first + 1));
      next.migrate(connections);
      next.migrate(connections);
      next.check(connections);
    }
    assertThat(db().query("select id, colour from standpipe.run")).containsExactly(run + "|blue");
    assertThat(db().query("select run_id, state from standpipe.step"))
        .containsExactly(run + "|ready");
    assertThatThrownBy(() -> check(db().source())).hasMessageContaining("newer Standpipe");
  }

  @Test
  default void everyTableViewAndColumnHasAComment() {
    Set<String> explained =
        SchemaComments.of(new Schema(db().dialect(), Tables.DEFAULT).export()).stream()
            .map(comment -> comment.replaceAll(" is '.{3,}'$", "").replace("comment on ", ""))
            .collect(Collectors.toSet());
    Set<String> there = new TreeSet<>();
    Catalogue.tables(db().source())
        .forEach(
            (table, columns) -> {
              there.add("table standpipe_" + table);
              columns.forEach(column -> there.add("column standpipe_" + table + "." + column));
            });
    Catalogue.views(db().source()).keySet().forEach(view -> there.add("view standpipe_" + view));
    assertThat(explained).hasSizeGreaterThan(150).isEqualTo(there);
  }

  @Test
  default void theListOfRunTablesMatchesTheCatalogue() {
    Map<String, List<String>> there = new TreeMap<>();
    Catalogue.tables(db().source())
        .forEach(
            (table, columns) -> {
              List<String> runs =
                  columns.stream()
                      .filter(
                          column ->
                              column.endsWith("run_id")
                                  || (table.equals("run") && column.equals("id")))
                      .toList();
              if (!runs.isEmpty()) {
                there.put(table, runs);
              }
            });
    assertThat(there).containsKeys(RunTables.OUTLIVING.toArray(String[]::new));
    there.keySet().removeAll(RunTables.OUTLIVING);
    assertThat(new TreeMap<>(RunTables.of(db().dialect()))).isEqualTo(there);
  }

  @Test
  default void theTablesMayHaveAnotherPrefix() {
    DataSource empty = emptyDatabase();
    Tables tables = new Tables(Optional.empty(), "acme_");
    try (StoreFixture acme = StoreFixture.in(empty, tables);
        StoreFixture beside = StoreFixture.in(empty)) {
      runsThrough(acme);
      runsThrough(beside);
      assertThat(acme.query("select count(*) from acme_run")).containsExactly("1");
    }
  }

  @Test
  default void aTablePrefixMayContainStandpipe() {
    DataSource empty = emptyDatabase();
    for (String prefix :
        List.of("standpipe_test_", "standpipe", "standpipe_standpipe_", "_", "a", "x".repeat(30))) {
      try (StoreFixture odd = StoreFixture.in(empty, new Tables(Optional.empty(), prefix))) {
        runsThrough(odd);
        assertThat(odd.query("select count(*) from standpipe.run")).as(prefix).containsExactly("1");
      }
      assertThat(findings(empty, new Tables(Optional.empty(), prefix)))
          .as(prefix)
          .extracting(Finding::check)
          .doesNotContain("schema_version", "missing_index");
    }
  }

  @Test
  default void onlyPlainTableNamesAreAccepted() {
    for (String bad :
        List.of("", "Upper", "a b", "a;drop table x", "a\"", "1a", "ü", "a.b", "x".repeat(31))) {
      assertThatThrownBy(() -> new Tables(Optional.empty(), bad))
          .isInstanceOfSatisfying(
              StandpipeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING));
      assertThatThrownBy(() -> new Tables(Optional.of(bad), "standpipe_"))
          .isInstanceOf(StandpipeException.class);
    }
  }

  private static List<Finding> findings(DataSource source, Tables tables) {
    return new Doctor(source, Dialects.of(source), tables, Doctor.Limits.DEFAULT).examine();
  }

  private static void execute(DataSource source, String script) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      String bare = script.replaceAll("(?m)--.*$", "").strip();
      for (String one : Pattern.compile(";\\s*(\\n|$)").splitAsStream(bare).toList()) {
        statement.execute(one);
      }
    }
  }

  /** Brings the tables up to date. */
  static void migrate(DataSource source) {
    StoreFixture.migrate(source, Tables.DEFAULT);
  }

  private static void check(DataSource source) {
    Dialect dialect = Dialects.of(source);
    try (Connections connections = new OwnedConnection(source, dialect)) {
      new Schema(dialect, Tables.DEFAULT).check(connections);
    }
  }

  private static void worksOn(DataSource source) {
    try (StoreFixture fixture = StoreFixture.on(source)) {
      runsThrough(fixture);
    }
  }

  /** A run from its start to its end. */
  static void runsThrough(StoreFixture fixture) {
    UUID process = fixture.join();
    var task = fixture.startAndClaim(process);
    fixture.settle(process, Success.of(task).endsRun().settlement());
    assertThat(fixture.store().runQueries().ended(List.of(task.run()))).containsExactly(task.run());
  }
}
