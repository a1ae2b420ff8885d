package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MainTest {
  private static final UUID RUN = new UUID(7, 7);
  private static final List<String> TABLES =
      List.of(
          "create table s_definition (id integer, graph text)",
          "create table s_lane (id integer, definition_id integer)",
          "create table s_run (id text, lane integer, status text, halt_reason text, followed integer, finished_at integer, labels text)",
          "create table s_ended (run_id text)",
          "create table s_dispatched (run_id text, original_run_id text, kind text)",
          "create table s_chain (upstream_run_id text, downstream_run_id text, resolved integer)",
          "create table s_finish (run_id text)",
          "create table s_signal (run_id text, node text, idx integer, value text, expired integer)",
          "create table s_called (run_id text, parent_run_id text, node text, idx integer, call_number integer)",
          "create table s_result (run_id text, node text, idx integer, token integer, attempt integer, outcome integer, value text)",
          "create table s_attempt (run_id text, node text, idx integer, token integer, attempt integer, outcome text)",
          "create table s_task (run_id text, node text, idx integer, state integer, token integer, owner text)",
          "create table s_arrival (run_id text, node text, remaining integer)",
          "create table s_rerun (run_id text, node text)",
          "create table s_chained (run_id text)",
          "create table s_canceling (run_id text)",
          "create table s_tolerated (run_id text)",
          "create table s_audit (id integer, run_id text, action text)",
          "create table s_substep (run_id text, node text, idx integer, token integer)",
          "create table s_checkpoint (run_id text, node text, idx integer, token integer)",
          "create table s_progress (run_id text, node text, idx integer, token integer)",
          "create table s_firing (schedule text, outcome text, started_run_id text)",
          "create table s_turn (run_id text, node text, idx integer, turn integer, token integer, attempt integer)",
          "insert into s_definition values (1, '{\"nodes\":[{\"key\":\"split\",\"kind\":\"expand\",\"inputs\":[\"$input\"]}]}')",
          "insert into s_lane values (7, 1)",
          "insert into s_run values ('" + RUN + "', 7, 'succeeded', null, 0, 1, '{}')",
          "insert into s_result values ('" + RUN + "', 'split', -1, 1, 1, 1, '1')",
          "insert into s_result values ('" + RUN + "', 'split', 0, 1, 1, 3, 'x')");

  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private String url;
  private Path history;

  @BeforeEach
  void aRunIsDone() throws SQLException, IOException {
    url = "jdbc:sqlite:" + directory.resolve("db");
    for (String sql : TABLES) {
      execute(sql);
    }
    history = directory.resolve("history");
    Entry entry = new Entry(What.ACCEPTED, 1, "worker", new Step(RUN, "split", 0), 1, 1);
    Files.writeString(history, entry.line() + "\nACCEPTED 2 wor");
  }

  @Test
  void exitsWithZeroIfAllHolds() {
    assertThat(run(url, "--prefix", "s_", history.toString())).isEqualTo(Main.HOLDS);
    assertThat(printed()).contains("All invariants hold: 1 runs, 1 results").contains("1 lines");
  }

  @Test
  void exitsWithOneAndNamesTheViolation() throws SQLException {
    execute("update s_run set status = 'running', finished_at = null");
    assertThat(run(url, "--prefix", "s_", history.toString())).isEqualTo(Main.VIOLATED);
    assertThat(printed()).contains("I1: run " + RUN + " has not ended");
  }

  @Test
  void namesAStatusThatDoesNotFitTheOtherRows() throws SQLException {
    execute("insert into s_chained values ('" + RUN + "')");
    assertThat(run(url, "--prefix", "s_", history.toString())).isEqualTo(Main.VIOLATED);
    assertThat(printed())
        .contains("I2: run " + RUN + " is succeeded and still has to wait for others");
  }

  @Test
  void exitsWithTwoIfItCannotTell() {
    assertThat(run()).isEqualTo(Main.CANNOT_TELL);
    assertThat(run(url)).isEqualTo(Main.CANNOT_TELL);
    assertThat(run(url, "--prefix", "s_", "no-such-file")).isEqualTo(Main.CANNOT_TELL);
    assertThat(run(url, "--prefix", "s; drop", history.toString())).isEqualTo(Main.CANNOT_TELL);
  }

  private int run(String... args) {
    return Main.run(args, new PrintStream(out, true, StandardCharsets.UTF_8));
  }

  private String printed() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
