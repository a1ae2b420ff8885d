package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.Schedules;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F6: several processes fire the same schedules at the same instants, and are killed meanwhile.
 * Every instant has one run, and none is left out.
 */
class F06ScheduleTest {
  private static final int KILLS = 6;
  private static final Duration LEASE = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private final List<WorkerJvm> workers = new ArrayList<>();
  private int hired;

  @Test
  void killedProcessesFireEachInstantOnceOnPostgres() {
    String url = PostgresServer.shared().freshJdbcUrl();
    fireAndKill(url, PostgresServer.dataSource(url));
  }

  @Test
  void killedProcessesFireEachInstantOnceOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      fireAndKill(file.jdbcUrl(), file.dataSource());
    }
  }

  private void fireAndKill(String url, DataSource source) {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("F6: seed " + seed);
    Random random = new Random(seed);
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      Schedules schedules = client.operator("test").schedules();
      workers.add(hire(url));
      workers.add(hire(url));
      await().atMost(PATIENCE).until(() -> schedules.list().size() == ScheduleWorker.SCHEDULES);
      for (int kill = 0; kill < KILLS; kill++) {
        int before = fired(schedules);
        await().atMost(PATIENCE).until(() -> fired(schedules) > before);
        workers.remove(random.nextInt(workers.size())).kill();
        workers.add(hire(url));
      }
      int last = fired(schedules);
      await().atMost(PATIENCE).until(() -> fired(schedules) > last + 1);
      schedules.list().forEach(schedule -> schedules.pause(schedule.name(), "enough"));
      for (int i = 0; i < ScheduleWorker.SCHEDULES; i++) {
        assertNoneIsMissing(schedules.history("every-second-" + i, 1000));
      }
      assertThat(
              processes.query(
                  "select count(*) from standpipe_firing f where (select count(*) from standpipe_run r where r.id = f.started_run_id) <> 1"))
          .containsExactly("0");
      assertThat(processes.query("select count(*) from standpipe_run"))
          .isEqualTo(processes.query("select count(*) from standpipe_firing"));
      assertThat(processes.query("select count(distinct labels) from standpipe_run"))
          .isEqualTo(processes.query("select count(*) from standpipe_run"));
      await()
          .atMost(PATIENCE)
          .until(
              () ->
                  processes
                      .query("select count(*) from standpipe_run where status <> 'succeeded'")
                      .equals(List.of("0")));
    }
  }

  private static int fired(Schedules schedules) {
    return schedules.history("every-second-0", 1000).size();
  }

  /** From the first instant to the last, one second after the other. */
  private static void assertNoneIsMissing(List<Firing> latestFirst) {
    List<Instant> instants = latestFirst.stream().map(Firing::at).sorted().toList();
    assertThat(instants).isNotEmpty();
    for (int i = 1; i < instants.size(); i++) {
      assertThat(instants.get(i)).isEqualTo(instants.get(i - 1).plusSeconds(1));
    }
  }

  private WorkerJvm hire(String url) {
    return WorkerJvm.of(ScheduleWorker.class, "firer-" + hired++, directory)
        .argument("url", url)
        .argument("lease", LEASE.toMillis())
        .start();
  }

  @AfterEach
  void killTheRest() {
    workers.forEach(WorkerJvm::close);
  }
}
