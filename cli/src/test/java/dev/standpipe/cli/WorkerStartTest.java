package dev.standpipe.cli;

import static org.awaitility.Awaitility.await;

import dev.standpipe.cli.database.Address;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command is started while the database is away. */
final class WorkerStartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void aWorkerOutwaitsAFailover() throws IOException {
    Path output = directory.resolve(WorkerCommandTest.OUTPUT);
    Address nobody = Address.of("jdbc:postgresql://127.0.0.1:" + freePort() + "/standpipe");
    Process command = WorkerCommandTest.launch(nobody, directory);
    try {
      await()
          .atMost(PATIENCE)
          .until(() -> Files.readString(output).contains("trying again for 120 s"));
    } finally {
      command.destroyForcibly();
      await().atMost(PATIENCE).until(() -> !command.isAlive());
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
