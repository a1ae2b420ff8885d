package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each status with the rows it needs, and without. */
class StoredStatusTest {
  private static final List<String> TABLES =
      List.of(
          "create table run (id text, status text, followed integer, finished_at integer, halt_reason text)",
          "create table chained (run_id text)",
          "create table chain (downstream_run_id text)",
          "create table audit (id integer primary key, run_id text, action text)",
          "create table task (run_id text, state integer)",
          "create table canceling (run_id text)",
          "create table finish (run_id text)",
          "create table tolerated (run_id text)",
          "create table ended (run_id text)",
          "create table dispatched (run_id text, original_run_id text, kind text)");

  private static final List<String> UNENDED =
      List.of("running", "waiting", "paused", "halting", "finishing", "canceling");
  private static final Map<String, String> REASONS =
      Map.of(
          "running", "null",
          "waiting", "null",
          "paused", "null",
          "succeeded", "null",
          "finishing", "'finished'",
          "canceling", "'canceled'",
          "failed", "'failed'",
          "skipped", "'skipped'");

  @TempDir private Path directory;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("db"));
    for (String table : TABLES) {
      execute(table);
    }
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void aRunHasTheEndAndTheReasonOfItsStatus() throws SQLException {
    run("succeeded");
    assertFits();
    execute("update run set finished_at = null");
    assertWrong("has another end, or another reason");
    run("halted");
    assertFits();
    execute("update run set halt_reason = 'canceled'");
    assertWrong("has another end, or another reason");
    execute("update run set halt_reason = null");
    assertWrong("has another end, or another reason");
  }

  @Test
  void aRunWaitsIfItIsChained() throws SQLException {
    run("waiting");
    assertWrong("waits for no other run");
    execute("insert into chained values ('r')");
    assertFits();
    run("running");
    assertWrong("still has to wait for others");
    execute("delete from chained");
    assertFits();
  }

  @Test
  void aRunIsPausedUntilItIsResumed() throws SQLException {
    run("paused");
    assertWrong("was paused last");
    execute("insert into audit (run_id, action) values ('r', 'pause')");
    assertFits();
    run("running");
    assertWrong("was paused last");
    execute("insert into audit (run_id, action) values ('r', 'resume')");
    assertFits();
    run("paused");
    assertWrong("was paused last");
  }

  @Test
  void aRunThatIsStoppedHasAMarkOfIt() throws SQLException {
    run("halting");
    assertWrong("has no failed step");
    execute("insert into task values ('r', 4)");
    assertFits();
    run("canceling");
    assertWrong("is not being ended");
    execute("insert into canceling values ('r')");
    assertFits();
    run("finishing");
    assertWrong("was ended by no step");
    execute("insert into finish values ('r')");
    assertFits();
  }

  @Test
  void aFailedRunHasToleratedAFailureAndASkippedOneHasWaited() throws SQLException {
    run("failed");
    assertWrong("has tolerated no failure");
    execute("insert into tolerated values ('r')");
    assertFits();
    run("skipped");
    assertWrong("has never waited");
    execute("insert into chain values ('r')");
    assertFits();
  }

  @Test
  void aRunIsCompensatedByItsCompensation() throws SQLException {
    run("compensating");
    assertWrong("is not to be compensated", "is compensated by nobody");
    execute("update run set followed = 2");
    execute("insert into ended values ('r')");
    assertFits();
    run("halted");
    assertWrong("is to be compensated");
    execute("delete from ended");
    execute("insert into dispatched values ('c', 'r', 'compensate')");
    execute("insert into run values ('c', 'running', 1, null, null)");
    run("compensating");
    assertFits();
    execute("update run set status = 'succeeded', finished_at = 1 where id = 'c'");
    assertWrong("has a compensation that has ended");
    run("compensation_failed");
    assertWrong("has a compensation that has succeeded");
    run("compensated");
    assertFits();
    execute("update run set status = 'halted', halt_reason = 'deadline' where id = 'c'");
    assertWrong("has a compensation that has succeeded");
    run("compensation_failed");
    assertFits();
  }

  /** Has the run r be so; what follows it stays. */
  private void run(String status) throws SQLException {
    execute(
        "insert into run select 'r', null, 0, null, null where not exists (select 1 from run where id = 'r')");
    boolean ended = !UNENDED.contains(status);
    execute(
        "update run set status = '%s', finished_at = %s, halt_reason = %s where id = 'r'"
            .formatted(status, ended ? "1" : "null", REASONS.getOrDefault(status, "'deadline'")));
  }

  private void assertFits() throws SQLException {
    assertThat(Checker.statuses(connection, "")).isEmpty();
  }

  private void assertWrong(String... what) throws SQLException {
    List<Violation> violations = Checker.statuses(connection, "");
    assertThat(violations).hasSameSizeAs(what);
    for (int i = 0; i < what.length; i++) {
      assertThat(violations.get(i).toString()).startsWith("I2: run r is ").contains(what[i]);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
