package dev.standpipe.testkit;

import static dev.standpipe.testkit.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.ErrorCode;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeException;
import dev.standpipe.spi.Event;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
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
      for (int round = 0; round < 2; round++) {
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

  /**
   * Steps of halted runs are settled after the others, in a transaction of their own. Here it fails
   * a few times, as it may in a deadlock: what was committed before must not be sent again.
   */
  @Test
  void aFailureToDrainHaltedRunsDoesNotHarmTheirNeighbours() throws InterruptedException {
    int count = 12;
    CountDownLatch running = new CountDownLatch(2 * count);
    CountDownLatch early = new CountDownLatch(1);
    CountDownLatch together = new CountDownLatch(1);
    Pipeline<Integer, Integer> halting = halting(running, together);
    Pipeline<Integer, Integer> chain =
        Pipeline.define(
            "chain",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("a", Integer.class, n -> meet(running, n < 2 ? early : together, n))
                    .step("b", Integer.class, n -> n + 1));
    Heard heard = new Heard();
    Standpipe standpipe =
        engine().start(engine().process(halting, chain).concurrency(4 * count).listener(heard));
    failToDrain(5);
    List<Integer> inputs = IntStream.range(0, count).boxed().toList();
    List<Run<Integer>> halted = standpipe.startAll(halting, inputs);
    List<Run<Integer>> neighbours = standpipe.startAll(chain, inputs);
    running.await();
    await()
        .atMost(PATIENCE)
        .until(() -> halted.stream().allMatch(run -> run.status() == RunStatus.HALTING));
    finishWhileNobodyCanCommit(early, together);

    assertThat(EngineFixture.await(neighbours))
        .isEqualTo(IntStream.range(1, count + 1).boxed().toList());
    await()
        .atMost(PATIENCE)
        .until(() -> halted.stream().allMatch(run -> run.status() == RunStatus.HALTED));
    assertThat(heard.all(Event.StaleWriteBlocked.class)).isEmpty();
    assertThat(engine().query("select last_value > 5 from failures")).containsExactly("t");
  }

  /** The first keep the committers busy, so that the others are then committed in one batch. */
  private void finishWhileNobodyCanCommit(CountDownLatch... waves) {
    try (Connection connection = engine().source().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("lock table standpipe_task in exclusive mode");
      for (CountDownLatch wave : waves) {
        wave.countDown();
        await().pollDelay(Duration.ofMillis(500)).until(() -> true);
      }
      connection.commit();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Pipeline<Integer, Integer> halting(CountDownLatch running, CountDownLatch go) {
    return Pipeline.define(
        "halting",
        Integer.class,
        Integer.class,
        flow -> {
          flow.input()
              .step(
                  "fails",
                  Integer.class,
                  n -> {
                    running.await();
                    throw new IllegalStateException("as it should");
                  })
              .retry(Retry.never());
          return flow.input().step("sibling", Integer.class, n -> meet(running, go, n));
        });
  }

  private static int meet(CountDownLatch running, CountDownLatch go, int n)
      throws InterruptedException {
    running.countDown();
    go.await();
    return n;
  }

  private void failToDrain(int times) {
    execute("create sequence failures");
    execute(
        """
            create function fail_to_drain() returns trigger language plpgsql as $$
            begin
              if old.state = 1
                 and (select status from standpipe_run where id = old.run_id) = 'halting'
                 and nextval('failures') <= %d then
                raise exception 'deadlock' using errcode = '40P01';
              end if;
              return old;
            end $$
            """
            .formatted(times));
    execute(
        "create trigger fail_to_drain before delete on standpipe_task for each row execute function fail_to_drain()");
  }

  private void execute(String sql) {
    try (Connection connection = engine().source().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }

  @Test
  void anOutcomeTheDatabaseWillNotTakeDoesNotHoldUpTheOthers() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps();
    Standpipe standpipe = engine().serve(pipeline);
    execute(
        "alter table standpipe_result add constraint whim check (node <> 'b' or value not like '-%')");
    List<Run<Integer>> refused = standpipe.startAll(pipeline, List.of(-10, -11, -12));
    List<Run<Integer>> runs = standpipe.startAll(pipeline, IntStream.range(0, 60).boxed().toList());
    assertThat(EngineFixture.await(runs)).isEqualTo(IntStream.range(3, 63).boxed().toList());
    execute("alter table standpipe_result drop constraint whim");
    assertThat(EngineFixture.await(refused)).containsExactly(-7, -8, -9);
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
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
