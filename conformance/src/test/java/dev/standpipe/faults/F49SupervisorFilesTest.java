package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.spi.Event;
import dev.standpipe.supervisor.Supervisor;
import dev.standpipe.supervisor.SupervisorBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F49: somebody cleans up the temporary files of a supervisor, a line in one of them was cut short
 * by a full disk, or no process can be made for a while. Children are watched and replaced all the
 * same.
 */
class F49SupervisorFilesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final String url = PostgresServer.hasty().freshJdbcUrl();
  private final DataSource source = PostgresServer.dataSource(url);
  private final Heard heard = new Heard();
  private final String java = System.getProperty("java.home");

  @AfterEach
  void restore() {
    System.setProperty("java.home", java);
  }

  /** Without its roster nobody knows what a child held but who has read it before. */
  @Test
  void aChildWithoutItsFilesIsReplacedAndReaped() throws IOException {
    try (Supervisor supervisor = supervise().start()) {
      long first = awaitServing(supervisor, 0);
      await().atMost(PATIENCE).until(() -> !Files.readString(roster(first)).isEmpty());
      await().pollDelay(Duration.ofSeconds(1)).until(() -> true); // a supervisor looks twice in it
      delete(Objects.requireNonNull(roster(first).getParent()));
      kill(first);
      awaitServing(supervisor, first);
      assertThat(leases()).as("the other's was reaped long before it ran out").hasSize(1);
    }
  }

  @Test
  void aChildWithATornRosterIsReplacedAndReaped() throws IOException {
    try (Supervisor supervisor = supervise().start()) {
      long first = awaitServing(supervisor, 0);
      Files.writeString(roster(first), "0123-4567\n", StandardOpenOption.APPEND);
      kill(first);
      awaitServing(supervisor, first);
      assertThat(leases()).hasSize(1);
    }
  }

  @Test
  void aChildIsReplacedOnceTheJvmStartsAgain() {
    try (Supervisor supervisor = supervise().start()) {
      long first = awaitServing(supervisor, 0);
      System.setProperty("java.home", directory.resolve("nowhere").toString());
      kill(first);
      await().atMost(PATIENCE).until(() -> !heard.all(Event.ChildEnded.class).isEmpty());
      await().during(Duration.ofSeconds(1)).until(() -> supervisor.pids().isEmpty());
      System.setProperty("java.home", java);
      awaitServing(supervisor, first);
    }
  }

  private static void delete(Path tree) throws IOException {
    try (Stream<Path> all = Files.walk(tree)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** The child was told which it is; the JDK reads no command as long as this. */
  private static Path roster(long pid) throws IOException {
    String option = "-Dstandpipe.roster=";
    String command = Files.readString(Path.of("/proc/" + pid + "/cmdline"));
    return Pattern.compile("\\x00")
        .splitAsStream(command)
        .filter(argument -> argument.startsWith(option))
        .map(argument -> Path.of(argument.substring(option.length())))
        .findFirst()
        .orElseThrow();
  }

  /** Waits for a child with a lease, other than this one; returns its number. */
  private long awaitServing(Supervisor supervisor, long other) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                supervisor.pids().stream()
                    .anyMatch(pid -> pid != other && leases().contains(String.valueOf(pid))));
    return supervisor.pids().get(0);
  }

  private List<String> leases() {
    return EngineFixture.query(source, "select pid from standpipe_process");
  }

  private static void kill(long pid) {
    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
  }

  private SupervisorBuilder supervise() {
    return Supervisor.on(source)
        .main(FaultWorker.class.getName())
        .classPath(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")))
        .jvmOptions(List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"))
        .arguments(
            List.of(
                "name=child",
                "url=" + url,
                "history=" + directory.resolve("history"),
                "lease=" + Duration.ofMinutes(5).toMillis(),
                "pause=10",
                "grace=1000"))
        .youth(Duration.ZERO)
        .listener(heard);
  }
}
