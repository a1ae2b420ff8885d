package dev.standpipe.bench.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.bench.TestServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class GaugeTest {
  @Test
  void commitsStatementsAndLogOfADatabaseAreCounted() throws Exception {
    String url = TestServer.emptyDatabase();
    String database = url.substring(url.lastIndexOf('/') + 1).replaceFirst("\\?.*", "");
    try (Gauge gauge = new Gauge(TestServer.server())) {
      double commits = gauge.commits(database, 0);
      Reading before = gauge.read(database);

      work(url);

      double after = gauge.commits(database, 0);
      Reading used = gauge.read(database).since(before);
      assertThat(after - commits).isBetween(101.0, 110.0);
      assertThat(used.statements()).isGreaterThanOrEqualTo(101);
      assertThat(used.walBytes()).isGreaterThan(100 * 50);
      assertThat(used.cpuSeconds()).isGreaterThanOrEqualTo(0);
    }
  }

  private static void work(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("create table t (n integer)");
      for (int i = 0; i < 100; i++) {
        statement.execute("insert into t values (1)");
      }
    }
  }
}
