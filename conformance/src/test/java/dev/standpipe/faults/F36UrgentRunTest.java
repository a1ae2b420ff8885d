package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F36: a lane has a long backlog, which is claimed from where the last claim ended. What belongs
 * before that place is taken soon all the same, whatever other pipelines the process serves: a run
 * of a higher priority, and a run that was started earlier in a transaction that committed late.
 */
class F36UrgentRunTest {
  /** At four bodies of 2 ms it takes at least ten seconds. */
  private static final int BACKLOG = 20_000;

  private static final Duration STEP = Duration.ofMillis(2);

  /** A poll interval, and a machine that stalls; the backlog takes longer. */
  private static final Duration SOON = Duration.ofSeconds(5);

  private final AtomicInteger begun = new AtomicInteger();
  private final Pipeline<String, String> busy =
      EngineFixture.single(
          "busy",
          (text, ctx) -> {
            begun.incrementAndGet();
            EngineFixture.pause(STEP);
            return text;
          });

  private void serveWithIdleOnes(EngineFixture processes) {
    Pipeline<?, ?>[] all = new Pipeline<?, ?>[10];
    for (int i = 0; i < all.length; i++) {
      all[i] = i == 5 ? busy : EngineFixture.single("idle-" + i, (text, ctx) -> text);
    }
    processes.start(processes.process(all).concurrency(4));
  }

  private void awaitProgress() {
    int before = begun.get();
    await().atMost(PATIENCE).until(() -> begun.get() > before + 200);
  }

  @Test
  void anUrgentRunIsTakenSoon() throws InterruptedException {
    takesAnUrgentRunSoon(PostgresServer.hasty().freshDatabase());
  }

  @Test
  void anUrgentRunIsTakenSoonOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      takesAnUrgentRunSoon(file.dataSource());
    }
  }

  private void takesAnUrgentRunSoon(DataSource source) throws InterruptedException {
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      List<Run<String>> waiting = client.startAll(busy, Collections.nCopies(BACKLOG, "x"));
      serveWithIdleOnes(processes);
      for (int i = 0; i < 3; i++) {
        awaitProgress();
        Run<String> urgent = client.start(busy, "now", RunOptions.none().priority(1_000));
        assertThat(urgent.await(SOON)).isEqualTo("now");
      }
      assertThat(waiting.get(BACKLOG - 1).status()).isEqualTo(RunStatus.RUNNING);
    }
  }

  @Test
  void aStartThatCommitsLateIsTakenSoon() throws InterruptedException, SQLException {
    DataSource source = PostgresServer.hasty().freshDatabase();
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      client.start(busy, "first"); // so that the pipeline is known
      try (Connection late = source.getConnection()) {
        late.setAutoCommit(false);
        Run<String> run = client.start(late, busy, "late", RunOptions.none());
        List<Run<String>> waiting = client.startAll(busy, Collections.nCopies(BACKLOG, "x"));
        serveWithIdleOnes(processes);
        awaitProgress();
        late.commit();
        assertThat(run.await(SOON)).isEqualTo("late");
        assertThat(waiting.get(BACKLOG - 1).status()).isEqualTo(RunStatus.RUNNING);
      }
    }
  }
}
