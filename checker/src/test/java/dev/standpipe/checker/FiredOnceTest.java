package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Ledger.Tables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Instants with their runs, and without. */
class FiredOnceTest {
  private static final String LABELS = "{\"fire_at\":\"2026-01-01T00:00:00Z\",\"schedule\":\"s\"}";

  @TempDir private Path directory;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("db"));
    execute("create table run (id text, labels text)");
    execute("create table rerun (run_id text)");
    execute("create table firing (schedule text, outcome text, started_run_id text)");
    execute("insert into run values ('a', '" + LABELS + "'), ('b', '{\"schedule\":\"mine\"}')");
    execute("insert into firing values ('s', 'started', 'a'), ('s', 'skipped', null)");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void anInstantHasItsRun() throws SQLException {
    assertThat(found()).isEqualTo("[]");
    execute("delete from run where id = 'a'");
    assertThat(found()).contains("the schedule s has fired, and the run is not there");
  }

  @Test
  void aRunIsOfOneInstant() throws SQLException {
    execute("insert into firing values ('t', 'started', 'a')");
    assertThat(found()).contains("the run a is of several instants");
  }

  @Test
  void aRunThatIsOfAnInstantBelongsToIt() throws SQLException {
    execute("insert into run values ('c', '" + LABELS + "')");
    assertThat(found()).contains("the run c is of an instant that has another, or none");
    execute("insert into rerun values ('c')");
    assertThat(found()).isEqualTo("[]");
  }

  private String found() throws SQLException {
    return FiredOnce.violations(Tables.of(connection, "")).toString();
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
