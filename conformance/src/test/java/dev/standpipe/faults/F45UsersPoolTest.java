package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * F45: the user's pool is set up in some way of its own. Standpipe works with it, or says at the
 * start what to set; and every connection comes back as it was.
 */
class F45UsersPoolTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Pipeline<Integer, Integer> PIPELINE = threeSteps("three", Duration.ZERO);

  private final String url = PostgresServer.hasty().freshJdbcUrl();
  private final DataSource plain = PostgresServer.dataSource(url);
  private final EngineFixture processes = new EngineFixture(plain);

  @AfterEach
  void close() {
    processes.close();
  }

  @ParameterizedTest
  @EnumSource
  void everyConnectionReturnsUnchanged(UsersPool setup) throws Exception {
    DataSource pool = setup.on(url);
    try {
      ReturnedConnections source = new ReturnedConnections(pool, UsersPool.SIZE);
      Standpipe standpipe = processes.start(Standpipe.on(source).serve(PIPELINE).lease(LEASE));
      List<Run<Integer>> runs =
          standpipe.startAll(PIPELINE, IntStream.range(0, 300).boxed().toList());
      for (int i = 0; i < 30; i++) {
        standpipe.start(PIPELINE, i, RunOptions.key("key " + i)).await(PATIENCE);
      }
      EngineFixture.await(runs);
      Run<Integer> late =
          standpipe.start(PIPELINE, 1, RunOptions.none().delay(Duration.ofHours(1)));
      standpipe.operator("ann").cancel(late.id(), "not needed", Duration.ZERO);
      standpipe.operator("ann").revive(late.id(), "needed");
      assertThat(late.status()).isEqualTo(RunStatus.RUNNING);
      assertThat(standpipe.doctor()).isEmpty();
      assertThat(source.mostOut()).isLessThanOrEqualTo(8);
      processes.close();
      assertThat(source.changes()).isEmpty();
      assertThat(source.returned()).isGreaterThan(5);
      assertThat(source.out()).isZero();
    } finally {
      if (pool instanceof AutoCloseable open) {
        open.close();
      }
    }
  }

  /** Hints still come: the heartbeat's connection is listened on as well. */
  @Test
  void anIdleProcessKeepsTwoConnections() {
    ReturnedConnections source = new ReturnedConnections(plain, 10);
    processes.start(Standpipe.on(source).serve(PIPELINE).lease(LEASE));
    source.mostOut();
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(source.mostOut()).isLessThanOrEqualTo(3); // one comes and goes
              assertThat(source.out()).isEqualTo(2);
            });
  }

  /** The heartbeat's, two committers', the claimer's, and one that comes and goes. */
  @Test
  void aBusyProcessHasFiveConnectionsAtMost() throws InterruptedException {
    ReturnedConnections source = new ReturnedConnections(plain, 20);
    processes.start(Standpipe.on(source).serve(PIPELINE).lease(LEASE));
    source.mostOut();
    EngineFixture.await(
        processes.client().startAll(PIPELINE, IntStream.range(0, 5_000).boxed().toList()));
    assertThat(source.mostOut()).isBetween(3, 5);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aTooSmallPoolIsRefused(int size) {
    try (HikariDataSource pool = PostgresServer.pool(plain, size, Duration.ofMillis(500))) {
      for (DataSource source : List.of(pool, anonymous(pool))) {
        assertThatThrownBy(() -> Standpipe.on(source).serve(PIPELINE).start())
            .isInstanceOfSatisfying(
                StandpipeException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_SETTING))
            .hasMessageContaining("gives " + size + " connection")
            .hasMessageContaining("at least 3");
      }
      processes.start(Standpipe.on(pool)).start(PIPELINE, 1); // who serves nothing needs one
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 5})
  void theSmallestPoolLeavesRoomForCalls(int size) throws InterruptedException {
    try (HikariDataSource pool = PostgresServer.pool(plain, size, Duration.ofSeconds(10))) {
      Standpipe standpipe = processes.start(Standpipe.on(pool).serve(PIPELINE).lease(LEASE));
      List<Run<Integer>> runs =
          standpipe.startAll(PIPELINE, IntStream.range(0, 500).boxed().toList());
      for (int i = 0; i < 50; i++) {
        assertThat(standpipe.start(PIPELINE, i).await(PATIENCE)).isEqualTo(i + 3);
      }
      EngineFixture.await(runs);
      processes.close();
    }
  }

  @Test
  void processesStartTogetherUnderSerializableIsolation() throws Exception {
    DataSource strict =
        PostgresServer.dataSource(
            url + UsersPool.options("-c default_transaction_isolation=serializable"));
    Racers.race(
        4,
        racer -> {
          processes.start(Standpipe.on(strict).serve(PIPELINE));
          return true;
        });
    assertThat(processes.client().start(PIPELINE, 1).await(PATIENCE)).isEqualTo(4);
  }

  @Test
  void aRoleWithoutCreateRightsStartsOnCurrentTables() throws InterruptedException {
    processes.client();
    String role = "modest_" + url.replaceAll(".*/(\\w+)\\?.*", "$1");
    processes.execute("create role " + role + " login");
    processes.execute("revoke create on schema public from public");
    processes.execute(
        "grant select, insert, update, delete on all tables in schema public to " + role);
    processes.execute("grant usage on all sequences in schema public to " + role);
    String as = url.replace("user=postgres", "user=" + role);
    Standpipe modest = processes.start(Standpipe.on(PostgresServer.dataSource(as)).serve(PIPELINE));
    assertThat(modest.start(PIPELINE, 1).await(PATIENCE)).isEqualTo(4);
  }

  @Test
  void aReadOnlyDatabaseIsRefused() {
    DataSource frozen =
        PostgresServer.dataSource(url + UsersPool.options("-c default_transaction_read_only=on"));
    assertThatThrownBy(() -> Standpipe.on(frozen).serve(PIPELINE).start())
        .isInstanceOf(StandpipeException.class)
        .hasMessageContaining("default_transaction_read_only");
  }

  @Test
  void aStartRefusesAnAutoCommitConnection() throws SQLException {
    Standpipe standpipe = processes.client();
    try (Connection connection = plain.getConnection()) {
      assertThatThrownBy(() -> standpipe.start(connection, PIPELINE, 1, RunOptions.none()))
          .isInstanceOfSatisfying(
              StandpipeException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining("setAutoCommit(false)");
    }
    assertThat(processes.query("select count(*) from standpipe_run")).containsExactly("0");
  }

  /** A start in somebody's transaction is one by itself, unless it is given the connection. */
  @Test
  void aTransactionAwareProxyKeepsTheCallersTransaction() {
    processes.execute("create table mine (n integer)");
    try (HikariDataSource pool = PostgresServer.pool(plain, 5, Duration.ofSeconds(10))) {
      DataSource aware = new TransactionAwareDataSourceProxy(pool);
      Standpipe standpipe = processes.start(Standpipe.on(aware));
      TransactionTemplate transaction =
          new TransactionTemplate(new DataSourceTransactionManager(pool));
      transaction.executeWithoutResult(
          status -> {
            insert(aware, 1);
            standpipe.start(PIPELINE, 1);
            insert(aware, 2);
            status.setRollbackOnly();
          });
      processes.close();
    }
    assertThat(processes.query("select count(*) from mine")).containsExactly("0");
    assertThat(processes.query("select count(*) from standpipe_run")).containsExactly("1");
  }

  /** As a proxy that nobody has heard of would do. */
  @Test
  void aForeignTransactionIsNotCommitted() throws SQLException {
    processes.client();
    processes.execute("create table mine (n integer)");
    try (Connection callers = plain.getConnection()) {
      callers.setAutoCommit(false);
      try (Statement statement = callers.createStatement()) {
        statement.execute("insert into mine values (1)");
      }
      DataSource unknown = always(callers);
      assertThatThrownBy(() -> Standpipe.on(unknown).connectTimeout(Duration.ZERO).start())
          .hasMessageContaining("start(connection, ...)");
      callers.rollback();
    }
    assertThat(processes.query("select count(*) from mine")).containsExactly("0");
  }

  private static void insert(DataSource source, int n) {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("insert into mine values (" + n + ")");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A pool that says nothing of itself. */
  private static DataSource anonymous(DataSource pool) {
    return proxy(DataSource.class, pool);
  }

  /** Gives everybody the same connection, and keeps it open. */
  private static DataSource always(Connection connection) {
    Connection kept =
        (Connection)
            Proxy.newProxyInstance(
                F45UsersPoolTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, args) ->
                    Stream.of("close", "abort").anyMatch(method.getName()::equals)
                        ? null
                        : method.invoke(connection, args));
    return (DataSource)
        Proxy.newProxyInstance(
            F45UsersPoolTest.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, args) -> kept);
  }

  private static <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            F45UsersPoolTest.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, args) -> {
              try {
                return method.invoke(target, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
