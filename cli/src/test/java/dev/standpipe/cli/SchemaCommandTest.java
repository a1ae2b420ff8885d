package dev.standpipe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.Commands.Outcome;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SchemaCommandTest {
  @ParameterizedTest
  @ValueSource(strings = {"postgres", "sqlite"})
  void printsTheTablesOfADialect(String dialect) {
    Outcome outcome = Commands.run("schema", "--dialect", dialect);

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(outcome.out())
        .contains("create table standpipe_task", "create table standpipe_result")
        .contains("insert into standpipe_schema (version) values (105)");
  }

  @Test
  void commentsEachTableAndColumnInItsDialect() {
    assertThat(Commands.run("schema", "--dialect=postgres", "--table-prefix=sp_").out())
        .contains("comment on table sp_run is 'One execution of a pipeline.")
        .contains("comment on column sp_task.owner is 'The process that holds it");
    assertThat(Commands.run("schema", "--dialect=sqlite").out())
        .contains("-- The process that holds it, while it is leased.\n  owner ")
        .doesNotContain("comment on");
  }

  @Test
  void usesTheGivenSchemaAndPrefix() {
    Outcome outcome =
        Commands.run("schema", "--dialect=postgres", "--schema=jobs", "--table-prefix=sp_");

    assertThat(outcome.out())
        .contains("create schema if not exists \"jobs\";", "create table \"jobs\".sp_task")
        .doesNotContain("standpipe.");
  }

  @Test
  void sqliteRunsThePrintedScript(@TempDir Path directory) throws SQLException {
    String sql = Commands.run("schema", "--dialect=sqlite", "--table-prefix=mine_").out();

    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("x.db"));
        Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
      assertThat(connection.getMetaData().getTables(null, null, "mine_task", null).next()).isTrue();
    }
  }

  @Test
  void sqliteHasNoSchemas() {
    Outcome outcome = Commands.run("schema", "--dialect=sqlite", "--schema=jobs");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("SQLite has no schemas");
  }

  @Test
  void anUnknownDialectIsRefused() {
    Outcome outcome = Commands.run("schema", "--dialect=mysql");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--dialect", "mysql");
  }
}
