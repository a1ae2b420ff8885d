package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Run;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.spi.Event;
import dev.standpipe.supervisor.Supervisor;
import dev.standpipe.supervisor.SupervisorBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor and the real JVMs it keeps: killed, frozen, hopeless, and asked to stop. */
class SupervisorTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String BUSY =
      """
      select p.pid, count(*) from standpipe_task t join standpipe_process p on p.id = t.owner
      group by p.pid order by 2 desc, 1""";

  @TempDir private Path directory;

  private final String url = PostgresServer.hasty().freshJdbcUrl();
  private final DataSource source = PostgresServer.dataSource(url);
  private final Heard heard = new Heard();

  /** Leases are longer than the test waits: only the supervisor can have freed the steps. */
  @Test
  void aKilledChildsTasksRunAgainWithinASecond() throws InterruptedException {
    List<Duration> recoveries = new ArrayList<>();
    try (EngineFixture processes = new EngineFixture(source);
        Supervisor supervisor =
            supervise(Duration.ofSeconds(30), FaultWorker.FOREVER, Duration.ZERO).start()) {
      awaitServing(2);
      processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(2, 1));
      await().atMost(PATIENCE).until(() -> count(What.STARTED) == 4);
      for (int round = 0; round < 3; round++) {
        awaitServing(2);
        String[] victim = query(BUSY).get(0).split("\\|", -1);
        long before = count(What.STARTED);
        long killedAt = System.nanoTime();
        kill(Long.parseLong(victim[0]));
        await()
            .pollInterval(Duration.ofMillis(5))
            .atMost(PATIENCE)
            .until(() -> count(What.STARTED) > before); // later on all are suspects, run one by one
        recoveries.add(Duration.ofNanos(System.nanoTime() - killedAt));
        awaitPids(supervisor, 2);
      }
      await().atMost(PATIENCE).until(() -> heard.all(Event.ChildEnded.class).size() >= 3);
      assertThat(heard.all(Event.ChildEnded.class))
          .hasSize(3)
          .allMatch(ended -> ended.exitCode() == 128 + 9 && ended.tasks() > 0);
      assertThat(query("select distinct outcome from standpipe_attempt"))
          .containsExactly("crashed");
    }
    System.out.println("recovered under a supervisor in " + recoveries);
    assertThat(recoveries)
        .as("a machine that stalls may hold one up, but not for a lease")
        .allMatch(took -> took.compareTo(Duration.ofSeconds(10)) < 0)
        .anyMatch(took -> took.compareTo(Duration.ofSeconds(1)) < 0);
  }

  @Test
  void aFrozenChildIsKilledAndReplaced() throws IOException, InterruptedException {
    try (EngineFixture processes = new EngineFixture(source);
        Supervisor supervisor =
            supervise(Duration.ofSeconds(5), Duration.ofMillis(50), Duration.ofSeconds(5))
                .patience(Duration.ofMillis(500))
                .start()) {
      awaitServing(2);
      long frozen = supervisor.pids().get(0);
      signal("STOP", frozen);
      List<Run<Integer>> runs =
          processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(20, 1));
      assertThat(heard.awaitAny(Event.ChildStale.class))
          .extracting(Event.ChildStale::pid)
          .containsExactly(frozen);
      await().atMost(PATIENCE).until(() -> !supervisor.pids().contains(frozen));
      awaitPids(supervisor, 2);
      await().atMost(PATIENCE).until(() -> runs.stream().allMatch(r -> r.status().isTerminal()));
      assertThat(query("select status, count(*) from standpipe_run group by status"))
          .containsExactly("succeeded|20");
    }
  }

  @Test
  void closingDrainsTheChildren() {
    Supervisor supervisor =
        supervise(Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(30)).start();
    try (EngineFixture processes = new EngineFixture(source)) {
      awaitServing(2);
      processes.client().startAll(FaultWorker.flowOfClients(), Collections.nCopies(2, 1));
      await().atMost(PATIENCE).until(() -> count(What.STARTED) == 4);
      supervisor.close();
      assertThat(supervisor.pids()).isEmpty();
      assertThat(heard.all(Event.ChildEnded.class))
          .hasSize(2)
          .allMatch(ended -> ended.exitCode() == 128 + 15 && ended.tasks() == 0);
      assertThat(count(What.ACCEPTED))
          .as("bodies finished within the grace")
          .isGreaterThanOrEqualTo(4);
      assertThat(query("select count(*) from standpipe_attempt")).containsExactly("0");
      assertThat(query("select count(*) from standpipe_process")).containsExactly("0");
    } finally {
      supervisor.close();
    }
  }

  /** Closing must end even if a child does not listen: it is killed, and its steps are freed. */
  @Test
  void aChildThatDoesNotStopInTimeIsKilled() {
    Supervisor supervisor =
        supervise(Duration.ofSeconds(30), FaultWorker.FOREVER, Duration.ofMinutes(10))
            .processes(1)
            .grace(Duration.ofMillis(500))
            .start();
    try (EngineFixture processes = new EngineFixture(source)) {
      awaitServing(1);
      processes.client().startAll(FaultWorker.flowOfClients(), List.of(1));
      await().atMost(PATIENCE).until(() -> count(What.STARTED) == 2);
      supervisor.close();
      assertThat(heard.all(Event.ChildEnded.class))
          .singleElement()
          .satisfies(
              ended -> {
                assertThat(ended.exitCode()).isEqualTo(128 + 9);
                assertThat(ended.tasks()).isEqualTo(2);
              });
      assertThat(query("select distinct state from standpipe_task")).containsExactly("0");
    } finally {
      supervisor.close();
    }
  }

  @Test
  void childrenThatDieYoungRestartWithBackoff() {
    try (Supervisor supervisor =
        Supervisor.on(source)
            .main("dev.standpipe.NoSuchMain")
            .classPath(directory.toString())
            .listener(heard)
            .start()) {
      await().atMost(PATIENCE).until(() -> heard.all(Event.ChildStarted.class).size() >= 4);
      assertThat(supervisor.pids()).hasSizeLessThanOrEqualTo(1);
      assertThat(heard.all(Event.ChildEnded.class)).allMatch(ended -> ended.exitCode() == 1);
    }
  }

  private SupervisorBuilder supervise(Duration lease, Duration pause, Duration grace) {
    return Supervisor.on(source)
        .main(FaultWorker.class.getName())
        .classPath(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")))
        .jvmOptions(
            List.of(
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.io.tmpdir=" + directory))
        .arguments(
            List.of(
                "name=child",
                "url=" + url,
                "history=" + history(),
                "lease=" + lease.toMillis(),
                "pause=" + pause.toMillis(),
                "grace=" + grace.toMillis()))
        .processes(2)
        .listener(heard);
  }

  private void awaitServing(int processes) {
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                query("select count(*) from standpipe_process where name = 'child'")
                    .equals(List.of("" + processes)));
  }

  private static void awaitPids(Supervisor supervisor, int count) {
    await().atMost(PATIENCE).until(() -> supervisor.pids().size() == count);
  }

  private static void kill(long pid) {
    assertThat(ProcessHandle.of(pid).orElseThrow().destroyForcibly()).isTrue();
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    assertThat(new ProcessBuilder("kill", "-" + name, "" + pid).start().waitFor()).isZero();
  }

  private long count(What what) {
    return History.read(history()).stream().filter(entry -> entry.what() == what).count();
  }

  private Path history() {
    return directory.resolve("children.history");
  }

  private List<String> query(String sql) {
    return EngineFixture.query(source, sql);
  }
}
