package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F26, the other way round: a worker that holds 300 steps is killed twice, and none of them is to
 * blame. Three healthy workers with room for all clear them within five times what as many steps
 * take that nobody suspects.
 */
class F26BadHostTest {
  private static final int STEPS = 300;
  private static final int SLOWER_AT_MOST = 5;
  private static final Duration BODY = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @Test
  void onPostgresInnocentStepsAreClearedSoon() throws InterruptedException {
    innocentStepsAreClearedSoon(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void onSqliteInnocentStepsAreClearedSoon() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      innocentStepsAreClearedSoon(file.jdbcUrl());
    }
  }

  private void innocentStepsAreClearedSoon(String url) throws InterruptedException {
    Pipeline<String, String> pipeline = BadHostWorker.pipeline(BODY);
    try (EngineFixture processes = new EngineFixture(PoisonWorker.source(url))) {
      Standpipe client = processes.client();
      List<Run<String>> suspected = new ArrayList<>();
      for (int i = 0; i < STEPS; i++) {
        suspected.add(client.start(pipeline, "suspect"));
      }
      for (int crashes = 0; crashes < 2; crashes++) {
        try (WorkerJvm worker = BadHostWorker.start("bad-host-" + crashes, directory, url)) {
          awaitTasks(processes, "state = 1 and crashes = " + crashes);
          worker.kill();
        }
      }
      for (int i = 0; i < 3; i++) {
        processes.start(
            processes.process(pipeline).concurrency(BadHostWorker.ROOM).lease(BadHostWorker.LEASE));
      }
      awaitTasks(processes, "crashes = 2");
      Duration suspicious = time(suspected);
      Duration plain = time(client.startAll(pipeline, Collections.nCopies(STEPS, "innocent")));
      System.out.printf("F26: %d suspects took %s, others %s%n", STEPS, suspicious, plain);
      assertThat(suspicious).isLessThan(plain.multipliedBy(SLOWER_AT_MOST));
      assertThat(client.quarantine().list(1)).isEmpty();
    }
  }

  private static void awaitTasks(EngineFixture processes, String which) {
    String count = "select count(*) from standpipe_task where " + which;
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> processes.query(count).equals(List.of(Integer.toString(STEPS))));
  }

  private static Duration time(List<Run<String>> runs) throws InterruptedException {
    long began = System.nanoTime();
    EngineFixture.await(runs);
    return Duration.ofNanos(System.nanoTime() - began);
  }
}
