package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A process that is closed leaves nothing of itself in the database or in its pool. */
class ClosedProcessTest {
  private final DataSource source = PostgresServer.shared().freshDatabase();
  private final Pipeline<String, String> pipeline =
      EngineFixture.single("echo", (text, ctx) -> text);

  @Test
  void aClosedProcessLeavesNoConnection() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      try (Standpipe standpipe = Standpipe.on(source).serve(pipeline).start()) {
        assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
      }
      await().atMost(PATIENCE).until(() -> backends("").equals("0"));
    }
  }

  @Test
  void aReturnedConnectionStopsListening() throws Exception {
    try (HikariDataSource pool = PostgresServer.pool(source, 8, Duration.ofSeconds(30))) {
      try (Standpipe standpipe = Standpipe.on(pool).serve(pipeline).start()) {
        assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
        await().atMost(PATIENCE).until(() -> backends("and query like 'listen %'").equals("1"));
      }
      int idle = pool.getHikariPoolMXBean().getIdleConnections();
      assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
      assertThat(idle).isPositive();
      assertNoneListens(pool, idle);
    }
  }

  /** Takes all there are, one within the other, so that each is another. */
  private static void assertNoneListens(DataSource pool, int more) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select count(*) from pg_listening_channels()")) {
      row.next();
      assertThat(row.getInt(1)).isZero();
      if (more > 1) {
        assertNoneListens(pool, more - 1);
      }
    }
  }

  private String backends(String which) {
    return EngineFixture.query(
            source,
            "select count(*) from pg_stat_activity where backend_type = 'client backend'"
                + " and datname = current_database() and pid <> pg_backend_pid() "
                + which)
        .get(0);
  }
}
