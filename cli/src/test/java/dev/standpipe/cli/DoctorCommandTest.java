package dev.standpipe.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Standpipe;
import dev.standpipe.cli.Commands.Outcome;
import dev.standpipe.cli.database.Address;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DoctorCommandTest {
  @TempDir private Path directory;
  private Address database = Address.of("");

  @BeforeEach
  void makeTables() {
    database = Address.of("jdbc:sqlite:" + directory.resolve("doctor.db"));
    Standpipe.on(database.open()).start().close();
  }

  @Test
  void reportsAHealthyDatabase() {
    Outcome outcome = Commands.run("doctor", "--url=" + database.url());
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).matches("\\d+ checks, 0 warnings, 0 violations\\R");
  }

  @Test
  void reportsAWarning() throws SQLException {
    execute("drop index standpipe_task_due");
    Outcome outcome = Commands.run("doctor", "--url=" + database.url());
    assertThat(outcome.exitCode()).isOne();
    assertThat(outcome.out())
        .contains("warning    missing_index", "standpipe_task_due", "1 warnings, 0 violations");
  }

  @Test
  void reportsAViolationAsJson() throws SQLException {
    execute(
        "insert into standpipe_run (id, pipeline, lane, priority, labels) values ('r', 'p', 1, 0, '{}')");
    Outcome outcome = Commands.run("doctor", "--json", "--url=" + database.url());
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out())
        .contains(
            "\"violations\":1", "\"check\":\"run_without_tasks\"", "\"severity\":\"violation\"");
  }

  @Test
  void reportsMissingTables() {
    Outcome outcome = Commands.run("doctor", "--table-prefix=other_", "--url=" + database.url());
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.out()).contains("no tables of Standpipe");
  }

  @Test
  void createsNoMissingFile() {
    Path missing = directory.resolve("missing.db");
    Outcome outcome = Commands.run("doctor", "--url=jdbc:sqlite:" + missing);
    assertThat(outcome.exitCode()).isEqualTo(3);
    assertThat(missing).doesNotExist();
  }

  @Test
  void reportsAnUnreachableDatabase() {
    Outcome outcome =
        Commands.run(
            "doctor", "--connect-timeout=0", "--url=jdbc:postgresql://standpipe.invalid/db");
    assertThat(outcome.exitCode()).isEqualTo(3);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
