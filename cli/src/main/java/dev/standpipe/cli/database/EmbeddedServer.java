package dev.standpipe.cli.database;

import dev.standpipe.cli.CommandFailure;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server of one's own, on the loopback interface, its writes forced to disk. */
public record EmbeddedServer(EmbeddedPostgres server, Address address) implements OwnDatabase {
  private static final Duration STARTUP = Duration.ofSeconds(60);

  /** Starts one that keeps its data here. */
  public static EmbeddedServer in(Path directory) {
    try {
      EmbeddedPostgres server =
          EmbeddedPostgres.builder()
              .setDataDirectory(directory.resolve("postgres"))
              .setCleanDataDirectory(true)
              .setRegisterShutdownHook(false)
              .setServerConfig("unix_socket_directories", "") // it is reached through its port
              .setServerConfig("fsync", "on")
              .setServerConfig("synchronous_commit", "on")
              .setPGStartupWait(STARTUP)
              .start();
      return new EmbeddedServer(server, Address.of(server.getJdbcUrl("postgres", "postgres")));
    } catch (IOException | IllegalStateException e) {
      throw new CommandFailure(
          CommandFailure.FAILED,
          "The embedded PostgreSQL did not start: "
              + e.getMessage()
              + ". Use --url on a server of yours instead.",
          e);
    }
  }

  @Override
  public String name() {
    return "embedded-postgres";
  }

  @Override
  public String tablePrefix() {
    return "standpipe_";
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      // it is stopped, or will never be; its directory goes either way
    }
  }
}
