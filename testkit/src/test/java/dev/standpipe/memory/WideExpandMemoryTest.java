package dev.standpipe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.testkit.PostgresServer;
import dev.standpipe.testkit.SqliteFile;
import dev.standpipe.testkit.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An expand into 100,000 elements fits into 256 MB. */
class WideExpandMemoryTest {
  private static final int ELEMENTS = Integer.getInteger("elements", 100_000);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  @TempDir private Path directory;

  @Test
  void itFitsOnPostgres() {
    itFits(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void itFitsOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      itFits(file.jdbcUrl());
    }
  }

  private void itFits(String url) {
    long startedAt = System.nanoTime();
    try (WorkerJvm worker =
        WorkerJvm.of(ExpandWorker.class, "wide", directory)
            .heap("256m")
            .argument("url", url)
            .argument("elements", ELEMENTS)
            .start()) {
      assertThat(worker.awaitLine("sum=", PATIENCE))
          .isEqualTo("" + (long) ELEMENTS * (ELEMENTS - 1));
      assertThat(worker.awaitExit()).isZero();
    }
    System.out.printf(
        "expand of %,d elements on %s: %d s%n",
        ELEMENTS,
        url.substring("jdbc:".length(), url.indexOf(':', "jdbc:".length())),
        Duration.ofNanos(System.nanoTime() - startedAt).toSeconds());
  }
}
