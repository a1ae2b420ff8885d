package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.spi.Event;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * F46: PgBouncer pools by transaction, so that every transaction may have another server process
 * and everybody's settings would be everybody else's. Standpipe sets nothing that outlives a
 * transaction, prepares nothing and polls instead of listening.
 */
class F46PgBouncerTest {
  private static final int RUNS = 200;
  private static final String SETTINGS =
      """
      select current_setting('jit') || ' ' || current_setting('enable_seqscan')
        || ' ' || current_setting('enable_bitmapscan') || ' ' || current_setting('plan_cache_mode')
        || ' ' || current_setting('default_transaction_isolation')
        || ' ' || current_setting('idle_in_transaction_session_timeout')
        || ' ' || (select count(*) from pg_prepared_statements)
        || ' ' || (select count(*) from pg_listening_channels())
      """;

  private final PostgresServer server = PostgresServer.hasty();
  private final String url = server.freshJdbcUrl();
  private final EngineFixture processes = new EngineFixture(PostgresServer.dataSource(url));
  private final Heard heard = new Heard();
  private final Pipeline<Integer, Integer> pipeline =
      Pipeline.define(
          "wide",
          Integer.class,
          Integer.class,
          flow ->
              flow.input()
                  .expand("split", Integer.class, n -> List.of(n, n))
                  .step("each", Integer.class, n -> n)
                  .collapse("sum", Integer.class, list -> list.stream().mapToInt(n -> n).sum()));

  @TempDir private Path directory;

  @AfterEach
  void close() {
    processes.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "&prepareThreshold=0", "&prepareThreshold=1"})
  void pgBouncerWorksAndLeaksNoSettings(String option) throws Exception {
    try (PgBouncer bouncer = PgBouncer.before(server.port(), 3, directory)) {
      DataSource source = PostgresServer.dataSource(bouncer.through(url) + option);
      DataSource others = PostgresServer.dataSource(bouncer.through(url) + "&prepareThreshold=0");
      AtomicBoolean done = new AtomicBoolean();
      Set<String> before = new TreeSet<>(List.of(settings(others)));
      CompletableFuture<Set<String>> seen =
          CompletableFuture.supplyAsync(() -> watch(others, done));
      Standpipe standpipe =
          processes.start(
              Standpipe.on(source)
                  .serve(pipeline)
                  .lease(Duration.ofSeconds(10))
                  .grace(Duration.ofSeconds(2))
                  .listener(heard));
      List<Run<Integer>> runs =
          standpipe.startAll(pipeline, IntStream.range(0, RUNS).boxed().toList());
      for (int i = 0; i < 20; i++) {
        assertThat(standpipe.start(pipeline, i, RunOptions.key("k" + i)).await(PATIENCE))
            .isEqualTo(2 * i);
      }
      assertThat(EngineFixture.await(runs))
          .isEqualTo(IntStream.range(0, RUNS).map(n -> 2 * n).boxed().toList());
      assertThat(processes.client().start(pipeline, 7).await(PATIENCE)).isEqualTo(14);
      assertThat(standpipe.doctor()).isEmpty();
      processes.close();
      done.set(true);
      assertThat(seen.get()).isEqualTo(before);
    }
    assertThat(heard.all(Event.DatabaseLost.class)).isEmpty();
    assertThat(heard.all(Event.LeaseLost.class)).isEmpty();
  }

  private static Set<String> watch(DataSource others, AtomicBoolean done) {
    Set<String> seen = new TreeSet<>();
    while (!done.get()) {
      seen.add(settings(others));
    }
    return seen;
  }

  /** What another application gets to see, in a transaction of its own. */
  private static String settings(DataSource source) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SETTINGS)) {
      return row.next() ? row.getString(1) : "";
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
