package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SmallDisk;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
  private static final String BINARIES = "ot.epg.working-dir";

  @TempDir private Path directory;

  @Test
  void terminatedTestsLeaveNothingBehind() throws IOException {
    String server;
    try (WorkerJvm tests =
        WorkerJvm.of(Unfinished.class, "tests", directory)
            .argument("binaries", Optional.ofNullable(System.getProperty(BINARIES)).orElse("none"))
            .start()) {
      server = tests.awaitLine("ready ");
      assertThat(names()).anyMatch(name -> name.startsWith("standpipe-sqlite"));
      assertThat(names()).anyMatch(name -> name.startsWith("standpipe-postgres"));
      tests.terminate();
      assertThat(tests.awaitExit()).isEqualTo(128 + 15);
    }
    await()
        .untilAsserted(
            () ->
                assertThat(names())
                    .filteredOn(name -> !name.equals("embedded-pg"))
                    .containsExactly("tests.out"));
    assertThatThrownBy(() -> PostgresServer.dataSource(server).getConnection())
        .isInstanceOf(SQLException.class);
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  /** Has begun, and never comes to its end. */
  static final class Unfinished {
    private Unfinished() {}

    public static void main(String[] args) throws InterruptedException {
      String binaries = WorkerJvm.argument(args, "binaries");
      if (!binaries.equals("none")) {
        System.setProperty(BINARIES, binaries);
      }
      SqliteFile.migrated();
      SmallDisk.of(8).ifPresent(SmallDisk::fill);
      System.out.println("ready " + PostgresServer.start().freshJdbcUrl());
      new CountDownLatch(1).await();
    }
  }
}
