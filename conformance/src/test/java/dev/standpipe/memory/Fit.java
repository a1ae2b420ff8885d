package dev.standpipe.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A worker that doubles and adds up so many numbers does so in 256 MB. */
abstract class Fit {
  private final Class<?> worker;
  private final String name;
  private final int elements;
  private final Duration patience;

  @TempDir private Path directory;

  Fit(Class<?> worker, String name, int elements, Duration patience) {
    this.worker = worker;
    this.name = name;
    this.elements = elements;
    this.patience = patience;
  }

  @Test
  void theWorkloadFitsInMemoryOnPostgres() {
    theWorkloadFitsInMemory(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void theWorkloadFitsInMemoryOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      theWorkloadFitsInMemory(file.jdbcUrl());
    }
  }

  private void theWorkloadFitsInMemory(String url) {
    long startedAt = System.nanoTime();
    try (WorkerJvm jvm =
        WorkerJvm.of(worker, name, directory)
            .heap("256m")
            .argument("url", url)
            .argument("elements", elements)
            .start()) {
      assertThat(jvm.awaitLine("sum=", patience)).isEqualTo("" + (long) elements * (elements - 1));
      assertThat(jvm.awaitExit()).isZero();
    }
    System.out.printf(
        "%s of %,d elements on %s: %d s%n",
        name,
        elements,
        url.substring("jdbc:".length(), url.indexOf(':', "jdbc:".length())),
        Duration.ofNanos(System.nanoTime() - startedAt).toSeconds());
  }
}
