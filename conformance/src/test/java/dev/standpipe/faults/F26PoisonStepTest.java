package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.operate.Quarantine;
import dev.standpipe.operate.QuarantinedStep;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F26: one step halts its JVM, another exhausts its heap, again and again, beside innocent ones;
 * every worker that dies is replaced. Both are quarantined after their crash limit, all others
 * finish, and once the code is fixed and the steps released, those do too.
 */
class F26PoisonStepTest {
  private static final int CRASH_LIMIT = 4;
  private static final int WORKERS = 2;
  private static final int BESIDE = 8;

  /** More would only make those wait that are to be seen. */
  private static final int MOST_BESIDE = 32;

  /** A worker takes its time to start and to die, and there are many, one after the other. */
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration LEASE = Duration.ofSeconds(2);

  @TempDir private Path directory;
  private final List<WorkerJvm> workers = new ArrayList<>();
  private int hired;

  @Test
  void onPostgresPoisonIsQuarantinedAndNeighboursFinish() throws InterruptedException {
    poisonIsQuarantinedAndNeighboursFinish(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void onSqlitePoisonIsQuarantinedAndNeighboursFinish() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      poisonIsQuarantinedAndNeighboursFinish(file.jdbcUrl());
      killAll();
    }
  }

  private void poisonIsQuarantinedAndNeighboursFinish(String url) throws InterruptedException {
    long startedAt = System.nanoTime();
    try (EngineFixture processes = new EngineFixture(PoisonWorker.source(url))) {
      Pipeline<String, String> pipeline = PoisonWorker.pipeline(true);
      Standpipe client = processes.client();
      Quarantine quarantine = client.quarantine();
      List<Run<String>> poison =
          client.startAll(pipeline, List.of(PoisonWorker.HALT, PoisonWorker.HEAP));
      List<Run<String>> innocent = new ArrayList<>();
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(250))
          .until(
              () -> {
                if (tasks(processes) < MOST_BESIDE) {
                  innocent.addAll(
                      client.startAll(pipeline, Collections.nCopies(BESIDE, "innocent")));
                }
                hireUpTo(url, false);
                return poison.stream().allMatch(run -> run.status().isTerminal());
              });
      await()
          .atMost(PATIENCE)
          .until(() -> innocent.stream().allMatch(run -> run.status().isTerminal()));
      assertThat(innocent).allMatch(run -> run.status() == RunStatus.SUCCEEDED);
      assertQuarantined(quarantine, poison);
      report(url, innocent, System.nanoTime() - startedAt);

      killAll();
      hireUpTo(url, true);
      quarantine
          .list(10)
          .forEach(step -> quarantine.release(step.step(), "operator", "fixed in this version"));
      assertThat(EngineFixture.await(poison)).containsExactly(PoisonWorker.HALT, PoisonWorker.HEAP);
    }
  }

  private static int tasks(EngineFixture processes) {
    return Integer.parseInt(processes.query("select count(*) from standpipe_task").get(0));
  }

  private void assertQuarantined(Quarantine quarantine, List<Run<String>> poison) {
    List<QuarantinedStep> steps = quarantine.list(100);
    assertThat(steps)
        .extracting(step -> step.step().run())
        .containsExactlyInAnyOrderElementsOf(poison.stream().map(Run::id).toList());
    assertThat(steps)
        .allMatch(step -> step.crashes() == CRASH_LIMIT)
        .as("with those that do not count: it was in a group with other suspects")
        .allMatch(step -> step.processes().size() >= CRASH_LIMIT);
    for (Run<String> run : poison) {
      assertThat(run.status()).isEqualTo(RunStatus.HALTED);
      assertThat(run.info().haltReason()).contains(HaltReason.QUARANTINED);
    }
  }

  private void report(String url, List<Run<String>> innocent, long nanos) {
    long crashed = 0;
    long most = 0;
    for (Run<String> run : innocent) {
      long crashes =
          run.attempts().stream()
              .map(AttemptInfo::outcome)
              .filter(AttemptOutcome.CRASHED::equals)
              .count();
      crashed += crashes > 0 ? 1 : 0;
      most = Math.max(most, crashes);
    }
    assertThat(crashed).as("neighbours that died with the poison").isPositive();
    System.out.printf(
        "F26 on %s: %d workers died, %d neighbours finished, %d of them crashed, at most %d times, %d s%n",
        url.startsWith("jdbc:sqlite:") ? "SQLite" : "PostgreSQL",
        hired - WORKERS,
        innocent.size(),
        crashed,
        most,
        Duration.ofNanos(nanos).toSeconds());
  }

  private void hireUpTo(String url, boolean fixed) {
    workers.removeIf(worker -> !worker.isAlive());
    while (workers.size() < WORKERS) {
      workers.add(
          PoisonWorker.setup("worker-" + hired++, directory, url)
              .argument("lease", LEASE.toMillis())
              .argument("crashLimit", CRASH_LIMIT)
              .argument("fixed", fixed)
              .argument("hook", true)
              .start());
    }
  }

  @AfterEach
  void killAll() {
    workers.forEach(WorkerJvm::close);
    workers.clear();
  }
}
