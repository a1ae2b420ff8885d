package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.StoreFixture.newRun;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * F22: whatever plan PostgreSQL chooses, a claim takes no more than it asked for. The plans are
 * forced to nested loops, and the statistics are of a time when the tables were empty.
 */
class F22ClaimLimitTest {
  private static final String PLANS =
      "-c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off"
          + " -c enable_memoize=off -c enable_hashagg=off -c enable_sort=off"
          + " -c enable_bitmapscan=off -c enable_indexscan=off -c enable_indexonlyscan=off"
          + " -c enable_tidscan=off -c plan_cache_mode=force_generic_plan";

  private StoreFixture db;

  @BeforeEach
  void forcePlansOnStaleStatistics() {
    String url = PostgresServer.shared().freshJdbcUrl();
    try (StoreFixture plain = StoreFixture.in(PostgresServer.dataSource(url))) {
      plain.execute("alter table standpipe.task set (autovacuum_enabled = off)");
      plain.execute("analyze");
    }
    String options = URLEncoder.encode(PLANS, StandardCharsets.UTF_8).replace("+", "%20");
    DataSource forced = PostgresServer.dataSource(url + "&options=" + options);
    db = StoreFixture.on(forced);
  }

  @AfterEach
  void close() {
    db.close();
  }

  @Test
  void thePlansOfThisTestBreakTheNaiveClaim() throws SQLException {
    db.start(100);
    try (Connection connection = db.source().getConnection();
        Statement statement = connection.createStatement()) {
      int updated =
          statement.executeUpdate(
              """
              update standpipe_task set token = token
              where (run_id, id) in (
                select run_id, id from standpipe_task
                where state = 0 order by seq limit 1 for update skip locked)
              """);
      assertThat(updated).isGreaterThan(1);
    }
  }

  @Test
  void aClaimTakesNoMoreThanItsLimit() {
    db.start(200);
    UUID process = db.join();
    for (int limit : new int[] {1, 1, 7, 1, 50, 3}) {
      assertThat(db.claim(process, limit)).hasSize(limit);
    }
    assertThat(db.claim(process, 1_000)).hasSize(200 - 63);
  }

  @Test
  void aPromotionTakesNoMoreThanItsLimit() {
    db.start(Stream.generate(() -> newRun(null, 0, 1, null)).limit(100).toList());
    await().until(() -> db.store().tasks().nextDue().orElseThrow().isZero());
    for (int limit : new int[] {1, 1, 7, 1, 50}) {
      assertThat(db.store().tasks().promote(limit)).isEqualTo(limit);
    }
    assertThat(db.store().tasks().promote(1_000)).isEqualTo(100 - 60);
  }
}
