package dev.standpipe.testkit;

import static dev.standpipe.testkit.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.ErrorCode;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeException;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PostgresEngineTest extends EngineContract {
  private final List<HikariDataSource> pools = new ArrayList<>();

  /** Through a pool, as in production: a new connection for every question takes its time. */
  @Override
  public DataSource emptyDatabase() {
    HikariDataSource pool =
        pool(PostgresServer.shared().freshDatabase(), 80, Duration.ofSeconds(30));
    pools.add(pool);
    return pool;
  }

  @AfterEach
  void closePools() {
    engine().close();
    pools.forEach(HikariDataSource::close);
  }

  @Test
  void aDatabaseThatCannotBeReachedIsReportedInTime() throws IOException {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    DataSource unreachable =
        PostgresServer.dataSource("jdbc:postgresql://localhost:" + nobody + "/x?user=postgres");
    long before = System.nanoTime();
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> Standpipe.on(unreachable).connectTimeout(Duration.ofSeconds(2)).start())
        .withMessageContaining("could not be reached within 2 s")
        .withMessageContaining("localhost:" + nobody)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE))
        .satisfies(e -> assertThat(e.code().isRetryable()).isTrue());
    assertThat(Duration.ofNanos(System.nanoTime() - before))
        .isBetween(Duration.ofSeconds(2), Duration.ofSeconds(30));
  }

  @Test
  void theTablesMayBeInASchemaOfTheirOwn() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("schema", (text, ctx) -> text);
    Standpipe standpipe = engine().start(engine().process(pipeline).schema("flows"));
    assertThat(standpipe.start(pipeline, "x").await(PATIENCE)).isEqualTo("x");
    assertThat(engine().query("select count(*) from flows.standpipe_run")).containsExactly("1");
  }

  /** Every body wants a connection of the pool too, and most wait for it in vain. */
  @Test
  void aPoolOfTwoThatBodiesExhaustStopsNeitherHeartbeatsNorCommits() throws InterruptedException {
    AtomicInteger refused = new AtomicInteger();
    try (HikariDataSource pool = pool(engine().source(), 2, Duration.ofMillis(250))) {
      Pipeline<Integer, Integer> pipeline = hungry(pool, refused);
      Heard heard = new Heard();
      engine()
          .start(
              Standpipe.on(pool)
                  .serve(pipeline)
                  .concurrency(16)
                  .lease(Duration.ofSeconds(3))
                  .grace(Duration.ofSeconds(2))
                  .listener(heard));
      List<Run<Integer>> runs =
          engine().client().startAll(pipeline, IntStream.range(0, 100).boxed().toList());
      assertThat(EngineFixture.await(runs))
          .isEqualTo(IntStream.range(0, 100).map(n -> 2 * n).boxed().toList());
      assertThat(refused.get()).isPositive();
      assertThat(heard.all(Event.LeaseLost.class)).isEmpty();
      assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
      engine().close();
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

  private static int eat(DataSource pool, AtomicInteger refused, int n) {
    try (Connection connection = pool.getConnection()) {
      connection.isValid(1);
    } catch (SQLException e) {
      refused.incrementAndGet();
    }
    return n;
  }

  /** Whatever else would like a connection waits for one as well, and often came first. */
  @Test
  void aSmallPoolThatLosesItsConnectionsServesHeartbeatsAndCommitsFirst()
      throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps();
    try (HikariDataSource pool = pool(engine().source(), 2, Duration.ofSeconds(3))) {
      engine()
          .start(
              Standpipe.on(pool).serve(pipeline).lease(Duration.ofSeconds(6)).grace(Duration.ZERO));
      Standpipe client = engine().client();
      for (int round = 0; round < 3; round++) {
        assertThat(
                EngineFixture.await(
                    client.startAll(pipeline, IntStream.range(0, 20).boxed().toList())))
            .isEqualTo(IntStream.range(3, 23).boxed().toList());
        engine()
            .query(
                """
                select pg_terminate_backend(pid) from pg_stat_activity
                where datname = current_database() and pid <> pg_backend_pid()
                """);
      }
      engine().close();
    }
  }

  @Test
  void aKilledServerIsWaitedForAndNothingIsCommittedTwice() throws InterruptedException {
    try (PostgresServer server = PostgresServer.start()) {
      DataSource source = server.freshDatabase();
      try (HikariDataSource small = pool(source, 2, Duration.ofMillis(250));
          HikariDataSource large = pool(source, 20, Duration.ofSeconds(5));
          EngineFixture processes = new EngineFixture(large)) {
        List<Heard> heard = List.of(new Heard(), new Heard());
        Pipeline<Integer, Integer> pipeline = threeSteps();
        processes.start(processes.process(pipeline).listener(heard.get(0)));
        processes.start(
            Standpipe.on(small)
                .serve(pipeline)
                .grace(Duration.ofSeconds(2))
                .listener(heard.get(1)));
        Standpipe client = processes.client();
        List<Run<Integer>> runs =
            client.startAll(pipeline, IntStream.range(0, 2_000).boxed().toList());
        for (int kill = 0; kill < 2; kill++) {
          int enough = finished(heard) + 200;
          await().atMost(PATIENCE).until(() -> finished(heard) > enough);
          server.kill();
          server.restart();
        }
        assertAllCommittedOnce(processes, runs, heard);
      }
    }
  }

  private static Pipeline<Integer, Integer> threeSteps() {
    return Pipeline.define(
        "three",
        Integer.class,
        Integer.class,
        flow ->
            flow.input()
                .step("a", Integer.class, PostgresEngineTest::takeAMoment)
                .step("b", Integer.class, PostgresEngineTest::takeAMoment)
                .step("c", Integer.class, PostgresEngineTest::takeAMoment));
  }

  private static int takeAMoment(int n) throws InterruptedException {
    EngineFixture.pause(Duration.ofMillis(5));
    return n + 1;
  }

  private static int finished(List<Heard> heard) {
    return heard.stream().mapToInt(one -> one.all(Event.RunFinished.class).size()).sum();
  }

  private static void assertAllCommittedOnce(
      EngineFixture processes, List<Run<Integer>> runs, List<Heard> heard)
      throws InterruptedException {
    for (int i = 0; i < runs.size(); i++) {
      assertThat(runs.get(i).await(PATIENCE)).isEqualTo(i + 3);
    }
    assertThat(
            processes.query(
                "select count(*) from standpipe_result where outcome = 1 and node <> '$input'"))
        .containsExactly("" + 3 * runs.size());
    assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(
            heard.stream()
                .flatMap(one -> one.all(Event.ExecutionSucceeded.class).stream())
                .map(event -> event.step().run() + event.step().node()))
        .doesNotHaveDuplicates();
    assertThat(heard).allMatch(one -> !one.all(Event.DatabaseLost.class).isEmpty());
  }

  private static HikariDataSource pool(DataSource source, int size, Duration patience) {
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(patience.toMillis());
    return new HikariDataSource(config);
  }
}
