package dev.standpipe.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.cli.database.Address;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a process of its own, with real children, on an SQLite file. */
final class WorkerCommandTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** The name of the file with what the command says. */
  static final String OUTPUT = "output";

  @TempDir private Path directory;

  private Address database = Address.of("");
  private Process command;

  @BeforeEach
  void start() throws IOException {
    database = Address.of("jdbc:sqlite:" + directory.resolve("worker.db"));
    command = launch(database, directory);
    await().atMost(PATIENCE).until(() -> processes() == 2);
  }

  /** Starts the command; what it and its children say is in a file of this directory. */
  static Process launch(Address database, Path directory) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Djava.io.tmpdir=" + directory,
            "-cp",
            classPath,
            "dev.standpipe.cli.Main",
            "worker",
            "--url=" + database.url(),
            "--main=" + TinyWorker.class.getName(),
            "--class-path=" + classPath,
            "--processes=2",
            "--jvm-option=-Xmx128m",
            "--jvm-option=-XX:TieredStopAtLevel=1",
            "--jvm-option=-Djava.io.tmpdir=" + directory,
            "tiny");
    return builder
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve(OUTPUT).toFile())
        .start();
  }

  @AfterEach
  void stop() {
    command.descendants().forEach(ProcessHandle::destroyForcibly);
    command.destroyForcibly();
  }

  @Test
  void sigtermDrainsTheChildren() throws Exception {
    try (Standpipe client = Standpipe.on(database.open()).start()) {
      List<Run<Integer>> runs = client.startAll(TinyWorker.pipeline(), List.of(6_000, 6_000));
      await()
          .atMost(PATIENCE)
          .until(() -> count("select count(*) from standpipe_task where state = 1") == 2);
      command.destroy();
      assertThat(command.waitFor()).isEqualTo(128 + 15);
      assertThat(runs).allMatch(run -> run.status().isTerminal());
    }
    assertThat(processes()).isZero();
    assertThat(count("select count(*) from standpipe_attempt")).isZero();
  }

  @Test
  void sigusr2HasEachChildPrintAThreadDump() throws Exception {
    signal("USR2", command.pid());
    await().atMost(PATIENCE).until(() -> read().split("Full thread dump", -1).length - 1 == 2);
    assertThat(read()).contains("standpipe-heart");
    assertThat(command.isAlive()).isTrue();
  }

  @Test
  void childrenDoNotOutliveAKilledCommand() {
    List<ProcessHandle> children = command.children().toList();
    assertThat(children).hasSize(2);
    command.destroyForcibly();
    await().atMost(PATIENCE).until(() -> children.stream().noneMatch(ProcessHandle::isAlive));
    assertThat(processes()).as("they left in good order").isZero();
  }

  private Path output() {
    return directory.resolve(OUTPUT);
  }

  private String read() {
    try {
      return Files.readString(output());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int processes() {
    return count("select count(*) from standpipe_process where name = 'tiny'");
  }

  private int count(String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : 0;
    } catch (SQLException e) {
      return -1; // the tables are being made
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor()).isZero();
  }
}
