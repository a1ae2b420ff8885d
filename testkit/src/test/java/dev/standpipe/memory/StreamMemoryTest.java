package dev.standpipe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.testkit.PostgresServer;
import dev.standpipe.testkit.SqliteFile;
import dev.standpipe.testkit.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A stream of any length fits into 256 MB, from its expand to its reduce. With {@code
 * -Dstream.elements=1000000} it is one of a million.
 */
class StreamMemoryTest {
  private static final int ELEMENTS = Integer.getInteger("stream.elements", 50_000);
  private static final Duration PATIENCE = Duration.ofMinutes(30);

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
        WorkerJvm.of(StreamWorker.class, "stream", directory)
            .heap("256m")
            .argument("url", url)
            .argument("elements", ELEMENTS)
            .start()) {
      assertThat(worker.awaitLine("sum=", PATIENCE))
          .isEqualTo("" + (long) ELEMENTS * (ELEMENTS - 1));
      assertThat(worker.awaitExit()).isZero();
    }
    System.out.printf(
        "stream of %,d elements on %s: %d s%n",
        ELEMENTS,
        url.substring("jdbc:".length(), url.indexOf(':', "jdbc:".length())),
        Duration.ofNanos(System.nanoTime() - startedAt).toSeconds());
  }
}
