package dev.standpipe.cli.drill;

import dev.standpipe.cli.CommandFailure;
import dev.standpipe.cli.database.Address;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** A PostgreSQL server that may be killed and started again on its data and port. */
final class DrillServer implements AutoCloseable {
  private static final Duration STARTUP = Duration.ofSeconds(60);
  private static final int TRIES = 40;

  private final Path directory;
  private EmbeddedPostgres server;

  private DrillServer(Path directory, EmbeddedPostgres server) {
    this.directory = directory;
    this.server = server;
  }

  static DrillServer in(Path directory) {
    Path data = directory.resolve("postgres");
    try {
      return new DrillServer(data, launch(data, 0));
    } catch (IOException | IllegalStateException e) {
      throw new CommandFailure(
          CommandFailure.FAILED, "The embedded PostgreSQL did not start: " + e.getMessage(), e);
    }
  }

  Address address() {
    return Address.of(server.getJdbcUrl("postgres", "postgres"));
  }

  /** As a power cut would: nothing is written any more. */
  void kill() throws IOException, InterruptedException {
    String pid = Files.readAllLines(directory.resolve("postmaster.pid")).get(0).strip();
    ProcessHandle postmaster = ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    postmaster.destroyForcibly();
    try {
      postmaster.onExit().get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Its backends hold its memory until they have noticed, so the first tries may fail. */
  void restart() throws IOException, InterruptedException {
    int port = server.getPort();
    server.close();
    for (int i = 1; ; i++) {
      try {
        server = launch(directory, port);
        return;
      } catch (IOException | IllegalStateException e) {
        if (i == TRIES) {
          throw e;
        }
        Thread.sleep(100);
      }
    }
  }

  private static EmbeddedPostgres launch(Path data, int port) throws IOException {
    EmbeddedPostgres.Builder builder =
        EmbeddedPostgres.builder()
            .setDataDirectory(data)
            .setCleanDataDirectory(false)
            .setRegisterShutdownHook(false)
            .setServerConfig("unix_socket_directories", "") // it is reached through its port
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setPGStartupWait(STARTUP);
    if (port != 0) {
      builder.setPort(port);
    }
    return builder.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
