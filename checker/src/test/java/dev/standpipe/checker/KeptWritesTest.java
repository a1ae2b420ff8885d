package dev.standpipe.checker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.checker.Ledger.Tables;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A write of a try that came too late is found. */
class KeptWritesTest {
  @TempDir private Path directory;

  @Test
  void aWriteAfterTheResultIsFound() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("db"));
        Statement statement = connection.createStatement()) {
      statement.execute(
          "create table result (run_id text, node text, idx integer, token integer, outcome integer, attempt integer)");
      for (String table : List.of("substep", "checkpoint", "progress")) {
        statement.execute(
            "create table " + table + " (run_id text, node text, idx integer, token integer)");
        statement.execute("insert into " + table + " values ('r', 'a', 0, 3)");
      }
      assertThat(KeptWrites.violations(Tables.of(connection, ""))).isEmpty();
      statement.execute("insert into result values ('r', 'a', 0, 3, 1, 1)");
      assertThat(KeptWrites.violations(Tables.of(connection, ""))).isEmpty();
      statement.execute("update result set token = 2");
      assertThat(KeptWrites.violations(Tables.of(connection, "")))
          .hasSize(3)
          .allMatch(violation -> violation.toString().contains("has token 3"));
    }
  }
}
