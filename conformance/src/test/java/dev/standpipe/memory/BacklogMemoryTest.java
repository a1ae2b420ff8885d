package dev.standpipe.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A backlog is rows in the database; the process that serves it does not grow with it. */
class BacklogMemoryTest {
  private static final int BACKLOG = Integer.getInteger("backlog", 200_000);
  private static final int CHUNK = 20_000;
  private static final long TOLERANCE = 8 << 20;
  private static final String FLOWING_RUNS =
      "standpipe_run where pipeline = 'flowing' and status = 'running'";
  private static final String WAITING_RUNS =
      "standpipe_run where pipeline = 'slow' and status = 'running'";
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;

  @Test
  void aBacklogDoesNotGrowTheProcess() {
    String url = PostgresServer.shared().freshJdbcUrl();
    try (EngineFixture processes = new EngineFixture(PostgresServer.dataSource(url));
        WorkerJvm worker =
            WorkerJvm.of(BacklogWorker.class, "backlog", directory)
                .heap("96m")
                .argument("url", url)
                .start()) {
      Standpipe client = processes.client();
      worker.awaitLine("heap=");
      long before = heapWhileFlowing(worker, processes, client);
      long startedAt = System.nanoTime();
      for (int started = 0; started < BACKLOG; started += CHUNK) {
        client.startAll(BacklogWorker.SLOW, Collections.nCopies(CHUNK, "waiting"));
      }
      long startSeconds = Duration.ofNanos(System.nanoTime() - startedAt).toSeconds();
      long after = heapWhileFlowing(worker, processes, client);
      System.out.printf(
          "backlog of %,d runs (started in %d s): heap %.1f MB before, %.1f MB after%n",
          BACKLOG, startSeconds, before / 1e6, after / 1e6);
      assertThat(after).isLessThan(before + TOLERANCE);
      assertThat(worker.isAlive()).isTrue();
      assertThat(count(processes, WAITING_RUNS)).isGreaterThan(BACKLOG / 2);
    }
  }

  /** What the heap comes to after a collection, once runs of the other pipeline have flowed. */
  private static long heapWhileFlowing(
      WorkerJvm worker, EngineFixture processes, Standpipe client) {
    client.startAll(BacklogWorker.FLOWING, Collections.nCopies(500, "-"));
    await().atMost(PATIENCE).until(() -> count(processes, FLOWING_RUNS) == 0);
    int seen = heaps(worker).size();
    await().atMost(PATIENCE).until(() -> heaps(worker).size() >= seen + 4);
    List<Long> heaps = heaps(worker);
    return Collections.min(heaps.subList(heaps.size() - 3, heaps.size()));
  }

  private static List<Long> heaps(WorkerJvm worker) {
    return worker.output().stream()
        .filter(line -> line.startsWith("heap="))
        .map(line -> Long.parseLong(line.substring("heap=".length())))
        .toList();
  }

  private static long count(EngineFixture processes, String what) {
    return Long.parseLong(processes.query("select count(*) from " + what).get(0));
  }
}
