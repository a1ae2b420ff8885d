package dev.standpipe.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.Commands;
import dev.standpipe.cli.Commands.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.Test;

/** What the user is told if a database cannot be used: which part is wrong, and no password. */
final class DemoUrlTest {
  @Test
  void refusesASchemeWithoutADriver() {
    Outcome outcome = Commands.run("demo", "--url=jdbc:oracle://me:hush@there/db?password=hush");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains("no JDBC driver accepts jdbc:oracle:", "jdbc:postgresql:", "jdbc:sqlite:")
        .doesNotContain("hush");
  }

  @Test
  void refusesAMalformedUrl() {
    assertThat(Commands.run("demo", "--url=postgres").err()).contains("no JDBC driver accepts");
  }

  @Test
  void reportsAClosedPort() throws IOException {
    Outcome outcome =
        Commands.run(
            "demo",
            "--url=jdbc:postgresql://127.0.0.1:" + closedPort() + "/db",
            "--password=hush",
            "--connect-timeout=1");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).contains("trying again for 1 s");
    assertThat(outcome.err().lines())
        .singleElement()
        .asString()
        .contains("Nothing answers at jdbc:postgresql://127.0.0.1:", "host and port")
        .doesNotContain("hush");
  }

  @Test
  void reportsAnUnknownHost() {
    Outcome outcome = Commands.run("demo", "--url=jdbc:postgresql://standpipe.invalid/db");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("host", "unknown");
  }

  @Test
  void reportsAMissingDirectory() {
    Outcome outcome = Commands.run("demo", "--url=jdbc:sqlite:/not/there/demo.db");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("/not/there/demo.db cannot be opened", "directory");
  }

  @Test
  void refusesADatabaseInMemory() {
    assertThat(Commands.run("demo", "--url=jdbc:sqlite::memory:").err()).contains("in memory");
  }

  @Test
  void refusesCredentialsWithoutAUrl() {
    Outcome outcome = Commands.run("demo", "--user=me");

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains("--user and --password need a --url");
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
