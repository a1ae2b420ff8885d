package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.Databases;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F31: two versions of a program serve the same database, as during a deployment. Both make
 * progress with their own runs. Runs that nobody serves any more wait, are reported, and go on when
 * somebody does.
 */
class F31TwoVersionsTest {
  private static final Duration LEASE = Duration.ofSeconds(4);
  private static final int RUNS = 50;

  @TempDir private Path directory;
  private int hired;

  @Test
  void twoVersionsServeSideBySideOnPostgres() throws InterruptedException {
    twoVersionsServeSideBySide(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void twoVersionsServeSideBySideOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      twoVersionsServeSideBySide(file.jdbcUrl());
    }
  }

  private void twoVersionsServeSideBySide(String url) throws InterruptedException {
    Pipeline<String, String> before = VersionWorker.flow(1);
    Pipeline<String, String> now = VersionWorker.flow(2);
    try (EngineFixture processes = new EngineFixture(Databases.source(url));
        WorkerJvm newer = worker(2, url)) {
      Standpipe client = processes.client();
      try (WorkerJvm older = worker(1, url)) {
        List<Run<String>> olderRuns = client.startAll(before, Collections.nCopies(RUNS, "run"));
        List<Run<String>> newerRuns = client.startAll(now, Collections.nCopies(RUNS, "run"));
        assertThat(EngineFixture.await(olderRuns)).containsOnly("run v1");
        assertThat(EngineFixture.await(newerRuns)).containsOnly("run v2+");
        older.kill();
      }
      List<Run<String>> waiting = client.startAll(before, Collections.nCopies(RUNS, "late run"));
      await()
          .atMost(PATIENCE)
          .until(() -> newer.output().stream().anyMatch(line -> isReportOf(before, line)));
      assertThat(client.start(now, "run").await(PATIENCE)).isEqualTo("run v2+");
      assertThat(waiting).allMatch(run -> run.status() == RunStatus.RUNNING);
      assertThat(waiting).allMatch(run -> run.attempts().isEmpty());

      try (WorkerJvm back = worker(1, url)) {
        assertThat(EngineFixture.await(waiting)).containsOnly("late run v1");
        assertThat(back.isAlive()).isTrue();
      }
    }
  }

  private static boolean isReportOf(Pipeline<?, ?> pipeline, String line) {
    return line.contains("event=work_unserved") && line.contains(pipeline.graph().hash());
  }

  private WorkerJvm worker(int version, String url) {
    return WorkerJvm.of(VersionWorker.class, "worker-" + hired++, directory)
        .argument("url", url)
        .argument("version", version)
        .argument("lease", LEASE.toMillis())
        .start();
  }
}
