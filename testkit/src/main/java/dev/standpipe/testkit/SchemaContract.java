package dev.standpipe.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.standpipe.ErrorCode;
import dev.standpipe.Finding;
import dev.standpipe.StandpipeException;
import dev.standpipe.internal.doctor.Doctor;
import dev.standpipe.internal.store.Connections;
import dev.standpipe.internal.store.Dialect;
import dev.standpipe.internal.store.Dialects;
import dev.standpipe.internal.store.OwnedConnection;
import dev.standpipe.internal.store.Schema;
import dev.standpipe.internal.store.Sql;
import dev.standpipe.internal.store.Tables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** The tables themselves. */
interface SchemaContract extends StorePart {
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
        .isEqualTo(IntStream.rangeClosed(1, newest).mapToObj(String::valueOf).toList());
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
  default void tablesOfANewerVersionAreRefusedAndLeftAlone() {
    db().execute("insert into standpipe.schema (version) values (99)");
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
          .hasMessageContaining("version 99")
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
  default void tablesOfTheFirstVersionAreUpgradedWithTheirRows() throws SQLException {
    DataSource old = emptyDatabase();
    String script = new Schema(Dialects.of(old), Tables.DEFAULT).export();
    String first = "insert into standpipe_schema (version) values (1)";
    execute(old, script.substring(0, script.indexOf(first)) + first + ";");
    String run = "0190b2c4-7d3f-7000-8000-00000000002a";
    execute(
        old,
        "insert into standpipe_run (id, pipeline, lane, priority, labels) values ('%s', 'orders', 1, 0, '{}');\n"
                .formatted(run)
            + "insert into standpipe_task (run_id, id, node, idx, lane, priority, state, token, attempt, crashes) values ('%s', 1, 'a', 0, 1, 0, 0, 7, 1, 5);\n"
                .formatted(run)
            + "insert into standpipe_attempt (run_id, node, idx, token, attempt, process, outcome, elapsed_us) values ('%s', 'a', 0, 6, 1, '%s', 'crashed', 3)"
                .formatted(run, run));
    migrate(old);
    check(old);
    try (StoreFixture upgraded = StoreFixture.on(old)) {
      assertThat(upgraded.lane()).isEqualTo(1);
      var task = upgraded.claim(upgraded.join());
      assertThat(task.run()).hasToString(run);
      assertThat(task.token()).isEqualTo(8);
      assertThat(task.crashes()).isEqualTo(5);
      assertThat(upgraded.query("select token, outcome, elapsed_us from standpipe.attempt"))
          .containsExactly("6|crashed|3");
    }
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
  default void aPrefixMayLookLikeTheNamesItReplaces() {
    DataSource empty = emptyDatabase();
    for (String prefix :
        List.of("standpipe_test_", "standpipe", "standpipe_standpipe_", "_", "a", "x".repeat(30))) {
      try (StoreFixture odd = StoreFixture.in(empty, new Tables(Optional.empty(), prefix))) {
        runsThrough(odd);
        assertThat(odd.query("select count(*) from standpipe.run")).as(prefix).containsExactly("1");
      }
      Dialect dialect = Dialects.of(empty);
      Tables tables = new Tables(Optional.empty(), prefix);
      assertThat(new Doctor(empty, dialect, tables, Doctor.Limits.DEFAULT).examine())
          .as(prefix)
          .extracting(Finding::check)
          .doesNotContain("schema_version", "missing_index");
    }
  }

  @Test
  default void onlyPlainNamesAreTakenForTables() {
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
    assertThat(fixture.store().runs().ended(List.of(task.run()))).containsExactly(task.run());
  }
}
