package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.spi.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** F18: the smallest pool there may be and sixteen bodies; heartbeats and commits go through. */
class F18SmallPoolTest {
  /** Long enough not to be lost because the machine stalls. */
  private static final Duration LEASE = Duration.ofSeconds(5);

  /** So many that their bodies, of which most wait in vain, take longer than a lease. */
  private static final int RUNS = 200;

  /** So long that the others, who wait for a quarter of a second, do not all get their turn. */
  private static final Duration MEAL = Duration.ofMillis(60);

  private final EngineFixture engine = new EngineFixture(PostgresServer.hasty().freshDatabase());

  @AfterEach
  void close() {
    engine.close();
  }

  /** Every body wants a connection of the pool too, and most wait for it in vain. */
  @Test
  void anExhaustedPoolStopsNeitherHeartbeatsNorCommits() throws InterruptedException {
    AtomicInteger refused = new AtomicInteger();
    try (HikariDataSource pool = PostgresServer.pool(engine.source(), 3, Duration.ofMillis(250))) {
      Pipeline<Integer, Integer> pipeline = hungry(pool, refused);
      Heard heard = new Heard();
      engine.start(
          Standpipe.on(pool)
              .serve(pipeline)
              .concurrency(16)
              .lease(LEASE)
              .grace(Duration.ofSeconds(2))
              .listener(heard));
      List<Run<Integer>> runs =
          engine.client().startAll(pipeline, IntStream.range(0, RUNS).boxed().toList());
      assertThat(EngineFixture.await(runs))
          .isEqualTo(IntStream.range(0, RUNS).map(n -> 2 * n).boxed().toList());
      assertThat(refused.get()).isPositive();
      assertThat(heard.all(Event.LeaseLost.class)).isEmpty();
      assertThat(engine.query("select count(*) from standpipe_attempt")).containsExactly("0");
      engine.close();
    }
  }

  private static Pipeline<Integer, Integer> hungry(DataSource pool, AtomicInteger refused) {
    return Pipeline.define(
        "hungry",
        Integer.class,
        Integer.class,
        flow ->
            flow.input()
                .step("eat", Integer.class, n -> eat(pool, refused, n))
                .expand("split", Integer.class, n -> List.of(n, n))
                .step("digest", Integer.class, n -> eat(pool, refused, n))
                .collapse(
                    "sum", Integer.class, list -> list.stream().mapToInt(Integer::intValue).sum()));
  }

  private static int eat(DataSource pool, AtomicInteger refused, int n)
      throws InterruptedException {
    try (Connection connection = pool.getConnection()) {
      EngineFixture.pause(MEAL);
      connection.isValid(1);
    } catch (SQLException e) {
      refused.incrementAndGet();
    }
    return n;
  }

  /** Whatever else would like a connection waits for one as well, and often came first. */
  @Test
  void aRecoveringPoolServesHeartbeatsAndCommitsFirst() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("three", Duration.ofMillis(5));
    try (HikariDataSource pool = PostgresServer.pool(engine.source(), 3, Duration.ofSeconds(3))) {
      engine.start(
          Standpipe.on(pool).serve(pipeline).lease(Duration.ofSeconds(6)).grace(Duration.ZERO));
      Standpipe client = engine.client();
      for (int round = 0; round < 3; round++) {
        assertThat(
                EngineFixture.await(
                    client.startAll(pipeline, IntStream.range(0, 20).boxed().toList())))
            .isEqualTo(IntStream.range(3, 23).boxed().toList());
        engine.query(
            """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """);
      }
      engine.close();
    }
  }
}
