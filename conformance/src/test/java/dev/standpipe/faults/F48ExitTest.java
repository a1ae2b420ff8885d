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
 * F48: a body calls {@code System.exit} or {@code halt}, in a process that closes Standpipe in a
 * shutdown hook, or not. However orderly the process ends, the step is quarantined after its crash
 * limit, and its neighbours finish.
 */
class F48ExitTest {
  private static final int CRASH_LIMIT = 3;
  private static final int BESIDE = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private final List<WorkerJvm> workers = new ArrayList<>();
  private int hired;

  @Test
  void anExitingStepIsQuarantinedOnPostgres() throws InterruptedException {
    isQuarantined(PostgresServer.shared().freshJdbcUrl(), PoisonWorker.EXIT, true);
  }

  @Test
  void anExitingStepIsQuarantinedOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      isQuarantined(file.jdbcUrl(), PoisonWorker.EXIT, true);
      killAll();
    }
  }

  @Test
  void anExitingStepIsQuarantinedWithoutAHook() throws InterruptedException {
    isQuarantined(PostgresServer.shared().freshJdbcUrl(), PoisonWorker.EXIT, false);
  }

  @Test
  void aHaltingStepIsQuarantinedWithoutAHook() throws InterruptedException {
    isQuarantined(PostgresServer.shared().freshJdbcUrl(), PoisonWorker.HALT, false);
  }

  private void isQuarantined(String url, String poison, boolean hook) throws InterruptedException {
    try (EngineFixture processes = new EngineFixture(PoisonWorker.source(url))) {
      Pipeline<String, String> pipeline = PoisonWorker.pipeline(true);
      Standpipe client = processes.client();
      Run<String> run = client.start(pipeline, poison);
      List<Run<String>> beside = client.startAll(pipeline, Collections.nCopies(BESIDE, "innocent"));
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                hire(url, hook);
                return run.status().isTerminal();
              });
      assertThat(run.info().haltReason()).contains(HaltReason.QUARANTINED);
      assertThat(client.quarantine().list(10))
          .extracting(QuarantinedStep::crashes)
          .containsExactly(CRASH_LIMIT);
      await()
          .atMost(PATIENCE)
          .until(
              () -> {
                hire(url, hook);
                return beside.stream().allMatch(one -> one.status().isTerminal());
              });
      assertThat(beside).allMatch(one -> one.status() == RunStatus.SUCCEEDED);
    }
  }

  private void hire(String url, boolean hook) {
    workers.removeIf(worker -> !worker.isAlive());
    if (workers.isEmpty()) {
      workers.add(
          PoisonWorker.setup("worker-" + hired++, directory, url)
              .argument("lease", 1000)
              .argument("crashLimit", CRASH_LIMIT)
              .argument("fixed", false)
              .argument("hook", hook)
              .start());
    }
  }

  @AfterEach
  void killAll() {
    workers.forEach(WorkerJvm::close);
    workers.clear();
  }
}
