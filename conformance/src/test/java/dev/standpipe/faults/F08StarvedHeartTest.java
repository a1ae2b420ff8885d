package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.fixture.History.Step;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F8: a process cannot renew its lease, because its heartbeat hangs or because it hardly gets any
 * processor time and memory. It interrupts its bodies before anybody else may begin them again. All
 * processes write into one history, so the order of its lines is the order of events.
 */
class F08StarvedHeartTest {
  /** A fifth of it is there for those who are late: more than a machine stalls. */
  private static final Duration LONG_LEASE = Duration.ofSeconds(10);

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final int SLICES = Soak.count("slices", 20, 2_000);

  @TempDir private Path directory;
  private final String url = PostgresServer.shared().freshJdbcUrl();
  private final DataSource source = PostgresServer.dataSource(url);

  @Test
  void aHangingHeartbeatInterruptsTheBodiesInTime() throws SQLException {
    try (EngineFixture processes = new EngineFixture(source);
        WorkerJvm starved = worker("starved", LONG_LEASE, FaultWorker.FOREVER, "64m")) {
      starved.awaitLine("ready");
      List<Run<Integer>> runs =
          processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(4, 1));
      await().atMost(Workers.PATIENCE).until(() -> count(What.STARTED) == 4);
      try (Connection connection = source.getConnection();
          Statement statement = connection.createStatement()) {
        connection.setAutoCommit(false);
        long expiresAt = lockUntilItExpires(statement);
        await().atMost(Workers.PATIENCE).until(() -> count(What.INTERRUPTED) == 4);
        assertThat(history())
            .filteredOn(entry -> entry.what() == What.INTERRUPTED)
            .as("interrupted before others may take its work")
            .allMatch(entry -> entry.at() - expiresAt < 0);
        starved.kill(); // or it would come to itself as soon as it can renew again
        connection.commit();
      }
      try (WorkerJvm other = worker("other", LEASE, Duration.ZERO, "64m")) {
        awaitEnd(runs);
        assertThat(other.isAlive()).isTrue();
      }
      assertNoBodyBeganBesideAnother();
    }
  }

  /** Returns when its lease runs out, by the monotonic clock that all processes share. */
  private static long lockUntilItExpires(Statement statement) throws SQLException {
    statement.execute("select 1 from standpipe_process where name = 'starved' for update");
    try (var row =
        statement.executeQuery(
            "select extract(epoch from lease_expires_at - clock_timestamp()) * 1e9"
                + " from standpipe_process where name = 'starved'")) {
      row.next();
      return System.nanoTime() + row.getLong(1);
    }
  }

  /** Time comes in slices: a fifth of a second without any, then as long as a signal takes. */
  @Test
  void aStarvedProcessDoesNotOverlapItsSuccessor() {
    try (EngineFixture processes = new EngineFixture(source);
        WorkerJvm starved = worker("starved", LEASE, Duration.ofMillis(300), "20m")) {
      starved.awaitLine("ready");
      List<Run<Integer>> runs =
          processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(20, 1));
      await().atMost(Workers.PATIENCE).until(() -> count(What.STARTED) >= 4);
      try (WorkerJvm other = worker("other", LEASE, Duration.ofMillis(300), "64m")) {
        for (int slice = 0; slice < SLICES; slice++) {
          starved.freeze();
          EngineFixture.query(source, "select pg_sleep(0.2)");
          starved.thaw();
        }
        awaitEnd(runs);
        assertThat(other.isAlive()).isTrue();
      }
      assertNoBodyBeganBesideAnother();
    }
  }

  private void awaitEnd(List<Run<Integer>> runs) {
    await()
        .atMost(Workers.PATIENCE)
        .until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
  }

  private WorkerJvm worker(String name, Duration lease, Duration pause, String heap) {
    return WorkerJvm.of(FaultWorker.class, name, directory)
        .heap(heap)
        .argument("name", name)
        .argument("url", url)
        .argument("history", directory.resolve("common.history"))
        .argument("lease", lease.toMillis())
        .argument("pause", pause.toMillis())
        .argument("grace", 0)
        .start();
  }

  private void assertNoBodyBeganBesideAnother() {
    Map<Step, Long> running = new HashMap<>();
    for (Entry entry : history()) {
      if (entry.what() == What.STARTED) {
        assertThat(running.put(entry.step(), entry.token()))
            .as("the token with which a body still runs when this begins: %s", entry)
            .isNull();
      } else if (entry.what() == What.INTERRUPTED || entry.what() == What.ENDED) {
        running.remove(entry.step(), entry.token());
      }
    }
  }

  private long count(What what) {
    return history().stream().filter(entry -> entry.what() == what).count();
  }

  private List<Entry> history() {
    return History.read(directory.resolve("common.history"));
  }
}
