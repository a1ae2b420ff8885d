package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F23: somebody keeps an old snapshot open while tasks come and go, so that nothing of them can be
 * cleaned up. A run that starts meanwhile is picked up and finished within its budget all the same.
 * (That {@code doctor} names who keeps it open is shown with the doctor.)
 */
class F23OpenSnapshotTest {
  private static final int SECONDS = Soak.count("snapshot.seconds", 6, 600);
  private static final int BATCH = 1_000;

  /** A few of them may meet a machine that stalls. */
  private static final int PROBES = 20;

  /** Start, claim, body and commit, on a machine that has other things to do. */
  private static final Duration BUDGET = Duration.ofSeconds(3);

  @Test
  void anOldSnapshotDoesNotSlowDownTheClaim() throws InterruptedException, SQLException {
    DataSource source = PostgresServer.shared().freshDatabase();
    Pipeline<Integer, Integer> churn = EngineFixture.threeSteps("churn", Duration.ZERO);
    Pipeline<String, String> probe = EngineFixture.single("probe", (text, ctx) -> text);
    try (HikariDataSource pool = PostgresServer.pool(source, 10, Duration.ofSeconds(30));
        EngineFixture processes = new EngineFixture(pool)) {
      processes.serve(churn, probe);
      Standpipe client = processes.client();
      try (Connection old = source.getConnection();
          Statement statement = old.createStatement()) {
        old.setAutoCommit(false);
        old.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
        statement.execute("select count(*) from standpipe_task");
        Measured measured = churn(client, churn, probe);
        System.out.println("F23: " + measured);
        assertThat(measured.p90()).isLessThan(BUDGET);
        assertThat(dead(processes)).as("dead rows pile up").isPositive();
        old.rollback();
      }
    }
  }

  private static Measured churn(
      Standpipe client, Pipeline<Integer, Integer> churn, Pipeline<String, String> probe)
      throws InterruptedException {
    List<Duration> probes = new ArrayList<>();
    int runs = 0;
    List<Run<Integer>> batch = List.of();
    long until = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    while (probes.size() < PROBES || System.nanoTime() - until < 0) {
      if (batch.stream().allMatch(run -> run.status().isTerminal())) {
        batch = List.of(client.startAll(churn, Collections.nCopies(BATCH, 1)).get(BATCH - 1));
        runs += BATCH;
      }
      long startedAt = System.nanoTime();
      assertThat(client.start(probe, "x").await(PATIENCE)).isEqualTo("x");
      probes.add(Duration.ofNanos(System.nanoTime() - startedAt));
    }
    Run<Integer> last = batch.get(0);
    await().atMost(PATIENCE).until(() -> last.status().isTerminal());
    Collections.sort(probes);
    return new Measured(runs, probes.size(), probes.get(probes.size() * 90 / 100));
  }

  /** What was seen: the runs that churned, and how long the ones between them took. */
  private record Measured(int runs, int probes, Duration p90) {}

  private static long dead(EngineFixture processes) {
    return Long.parseLong(
        processes.query("select pg_stat_get_dead_tuples('standpipe_task'::regclass)").get(0));
  }
}
