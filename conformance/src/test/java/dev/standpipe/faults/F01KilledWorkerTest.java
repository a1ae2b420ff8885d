package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F1: workers are killed while they are busy, at random moments, again and again, and each is
 * replaced. Every run succeeds, every step has one result, and no death costs a step an attempt.
 */
class F01KilledWorkerTest {
  private static final int KILLS = Integer.getInteger("kills", 25);
  private static final int WORKERS = 3;
  private static final int RUNS_PER_KILL = 12;

  /** As many as wait, and are held, together. */
  private static final int RUNS_AT_ONCE = 120;

  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private final List<WorkerJvm> workers = new ArrayList<>();
  private final String url = PostgresServer.shared().freshJdbcUrl();
  private final DataSource source = PostgresServer.dataSource(url);
  private int hired;

  @Test
  void killedWorkersLoseNothingAndCommitNothingTwice() {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("F1: seed " + seed + ", " + KILLS + " kills");
    Random random = new Random(seed);
    long startedAt = System.nanoTime();
    try (EngineFixture processes = new EngineFixture(source)) {
      Pipeline<Integer, Integer> flow = FaultWorker.flowOfClients();
      Standpipe client = processes.client();
      List<Run<Integer>> runs = new ArrayList<>();
      runs.addAll(client.startAll(flow, Collections.nCopies(RUNS_AT_ONCE, -1)));
      while (workers.size() < WORKERS) {
        workers.add(hire());
      }
      for (int kill = 0; kill < KILLS; kill++) {
        runs.addAll(client.startAll(flow, Collections.nCopies(RUNS_PER_KILL, kill)));
        WorkerJvm victim = busyWorker(random);
        EngineFixture.query(source, "select pg_sleep(" + random.nextInt(300) / 1000.0 + ")");
        victim.kill();
        workers.remove(victim);
        workers.add(hire());
      }
      await()
          .atMost(PATIENCE)
          .until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
      assertNothingLostNothingTwice(runs.size());
      report(runs.size(), System.nanoTime() - startedAt);
    }
  }

  private void assertNothingLostNothingTwice(int runs) {
    Audit audit = new Audit(source, histories());
    audit.assertAllSucceeded(runs, FaultWorker.STEPS);
    audit.assertNoAttemptWasUsedUp();
    audit.assertHistoriesAgree();
    assertThat(crashed()).as("workers were busy when they were killed").isPositive();
  }

  private void report(int runs, long nanos) {
    System.out.printf(
        "F1: %d kills, %d runs, %d crashed tries recovered, %d s%n",
        KILLS, runs, crashed(), Duration.ofNanos(nanos).toSeconds());
  }

  private long crashed() {
    return Long.parseLong(
        EngineFixture.query(
                source, "select count(*) from standpipe_attempt where outcome = 'crashed'")
            .get(0));
  }

  private WorkerJvm hire() {
    return FaultWorker.setup("worker-" + hired++, directory, url, LEASE)
        .argument("pause", 25)
        .argument("grace", 0)
        .start();
  }

  /** One of those that hold a step at this moment. */
  private WorkerJvm busyWorker(Random random) {
    List<WorkerJvm> busy = new ArrayList<>();
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              List<String> names =
                  EngineFixture.query(
                      source,
                      "select distinct p.name from standpipe_task t join standpipe_process p on p.id = t.owner");
              workers.stream().filter(worker -> names.contains(worker.name())).forEach(busy::add);
              return !busy.isEmpty();
            });
    return busy.get(random.nextInt(busy.size()));
  }

  private List<Entry> histories() {
    List<Entry> all = new ArrayList<>();
    for (int i = 0; i < hired; i++) {
      all.addAll(History.read(directory.resolve("worker-" + i + ".history")));
    }
    return all;
  }

  @AfterEach
  void killTheRest() {
    workers.forEach(WorkerJvm::close);
  }
}
