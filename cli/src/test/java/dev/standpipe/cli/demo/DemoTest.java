package dev.standpipe.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole demo with real worker processes: all that it promises, and nothing left behind. */
final class DemoTest {
  private static final int ORDERS = 40;
  private static final int STEPS = 4 * ORDERS + 100; // ten times one, two, three and four items

  @Test
  void survivesOnSqlite() throws IOException {
    requireGood(Commands.run("demo", "--json", "--orders=" + ORDERS), "sqlite");

    assertThat(leftovers()).isEmpty();
  }

  @Test
  void survivesOnAnEmbeddedPostgres() throws IOException {
    requireGood(
        Commands.run("demo", "--embedded-postgres", "--json", "--orders=" + ORDERS),
        "embedded-postgres");

    assertThat(leftovers()).isEmpty();
  }

  @Test
  void leavesAGivenPostgresUnchanged(@TempDir Path directory) throws IOException, SQLException {
    try (EmbeddedPostgres server =
        EmbeddedPostgres.builder().setDataDirectory(directory.resolve("data")).start()) {
      String url = server.getJdbcUrl("postgres", "postgres");

      Outcome outcome = Commands.run("demo", "--url=" + url, "--orders=" + ORDERS);

      assertThat(outcome.exitCode()).as(outcome.err()).isZero();
      assertThat(outcome.out())
          .contains("killed (SIGKILL)", "frozen (SIGSTOP)", "thawed", "taken over")
          .contains(ORDERS + " of " + ORDERS + " runs succeeded")
          .contains(ORDERS + " receipts written exactly once")
          .doesNotContain("\u001b");
      assertThat(tables(server)).isEmpty();
    }
  }

  private static void requireGood(Outcome outcome, String database) {
    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    JsonNode json = JsonMapper.shared().readTree(outcome.out());
    assertThat(json.get("ok").asBoolean()).isTrue();
    assertThat(json.get("database").asString()).isEqualTo(database);
    assertThat(json.get("runs").asInt()).isEqualTo(ORDERS);
    assertThat(json.get("runs_succeeded").asInt()).isEqualTo(ORDERS);
    assertThat(json.get("steps").asInt()).isEqualTo(STEPS);
    assertThat(json.get("receipts").asInt()).isEqualTo(ORDERS);
    assertThat(json.get("receipts_duplicated").asInt()).isZero();
    assertThat(json.get("crashed_attempts").asInt()).as(outcome.err()).isPositive();
    assertThat(json.get("stale_writes_rejected").asInt()).as(outcome.err()).isPositive();
    assertThat(json.has("problems")).isFalse();
  }

  private static List<Path> leftovers() throws IOException {
    String mine = "standpipe-" + ProcessHandle.current().pid() + "-";
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.getFileName().toString().startsWith(mine)).toList();
    }
  }

  private static List<String> tables(EmbeddedPostgres server) throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection connection = server.getPostgresDatabase().getConnection();
        ResultSet row =
            connection
                .createStatement()
                .executeQuery("select relname from pg_class where relname like 'demo%'")) {
      while (row.next()) {
        names.add(row.getString(1));
      }
    }
    return names;
  }
}
