package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.WorkerJvm;
import dev.standpipe.outbox.EventOptions;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F29: transactions that emit events commit in another order than they began, and relays die after
 * a sink has taken events and before they have noted it. Nothing is skipped, duplicates carry the
 * same id, and an event that was emitted after another of its subject was committed comes later.
 */
class F29OutboxOrderTest {
  private static final int SUBJECTS = 7;

  /** How many processes there are at least, of which all but the last two have died. */
  private static final int ENOUGH = 3;

  private static final int MOST_ROUNDS = 20;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path directory;
  private final List<WorkerJvm> workers = new ArrayList<>();
  private int hired;

  /** An event as its emitter knows it. */
  private record Emitted(String id, String subject, long began, long committed) {}

  @Test
  void nothingIsSkippedOnPostgres() throws SQLException {
    String url = PostgresServer.shared().freshJdbcUrl();
    emitAndKill(url, PostgresServer.dataSource(url), "bigserial primary key", 6, 60);
  }

  @Test
  void nothingIsSkippedOnSqlite() throws SQLException {
    try (SqliteFile file = SqliteFile.create()) {
      emitAndKill(file.jdbcUrl(), file.dataSource(), "integer primary key autoincrement", 1, 150);
    }
  }

  private void emitAndKill(String url, DataSource source, String key, int threads, int events)
      throws SQLException {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("F29: seed " + seed);
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      processes.execute(
          "create table received (n %s, id text, subject text, payload text)".formatted(key));
      workers.add(hire(url, seed, 8));
      workers.add(hire(url, seed + 1, 8));
      Queue<Emitted> emitted = new ConcurrentLinkedQueue<>();
      for (int round = 0; round < MOST_ROUNDS && hired <= ENOUGH; round++) {
        Random dice = new Random(seed + 1000L * round);
        List<Random> each =
            Stream.generate(() -> new Random(dice.nextLong())).limit(threads).toList();
        Racers.race(
            threads,
            number -> {
              emit(client, source, each.get(number), events, emitted);
              return true;
            });
        await().atMost(PATIENCE).until(() -> replaceTheDead(url, seed) || isDrained(processes));
      }
      assertThat(emitted).hasSizeGreaterThan(threads * events / 2);
      workers.forEach(WorkerJvm::close);
      workers.clear();
      workers.add(hire(url, seed, 0));
      await().atMost(PATIENCE).until(() -> isDrained(processes));
      assertThat(hired).as("processes").isGreaterThan(ENOUGH);
      judge(processes, emitted);
    }
  }

  /** Says whether enough of them have died. */
  private boolean replaceTheDead(String url, long seed) {
    for (int i = 0; i < workers.size(); i++) {
      if (!workers.get(i).isAlive()) {
        workers.remove(i).close();
        workers.add(hire(url, seed + hired, 8));
      }
    }
    return hired > 8;
  }

  private static boolean isDrained(EngineFixture processes) {
    return processes.query("select count(*) from standpipe_outbox").equals(List.of("0"));
  }

  /** A transaction in six is rolled back; each stays open for a while after it has emitted. */
  private static void emit(
      Standpipe client, DataSource source, Random random, int events, Queue<Emitted> emitted)
      throws SQLException {
    try (Connection connection = source.getConnection()) {
      try (Statement statement = connection.createStatement()) {
        if (connection.getMetaData().getURL().startsWith("jdbc:sqlite")) {
          statement.execute("pragma busy_timeout = 30000");
        }
      }
      connection.setAutoCommit(false);
      for (int i = 0; i < events; i++) {
        String subject = "s" + random.nextInt(SUBJECTS);
        long began = System.nanoTime();
        String id = client.emit(connection, "tick", i, EventOptions.subject(subject)).toString();
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(30)));
        if (random.nextInt(6) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          emitted.add(new Emitted(id, subject, began, System.nanoTime()));
        }
      }
    }
  }

  private static void judge(EngineFixture processes, Queue<Emitted> emitted) {
    List<String> rows = processes.query("select id from received order by n");
    Map<String, Integer> firsts = new HashMap<>();
    for (int i = 0; i < rows.size(); i++) {
      firsts.putIfAbsent(rows.get(i), i);
    }
    assertThat(firsts.keySet())
        .containsExactlyInAnyOrderElementsOf(emitted.stream().map(Emitted::id).toList());
    System.out.printf("F29: %d events, %d deliveries%n", emitted.size(), rows.size());
    for (Emitted one : emitted) {
      for (Emitted other : emitted) {
        if (one.subject.equals(other.subject) && one.committed < other.began) {
          assertThat(firsts.get(one.id))
              .as("%s before %s", one, other)
              .isLessThan(firsts.get(other.id));
        }
      }
    }
    assertThat(
            processes.query(
                "select id from received group by id having count(distinct payload || subject) > 1"))
        .isEmpty();
  }

  private WorkerJvm hire(String url, long seed, int dies) {
    return WorkerJvm.of(OutboxWorker.class, "relay-" + hired++, directory)
        .argument("url", url)
        .argument("seed", seed)
        .argument("dies", dies)
        .start();
  }

  @AfterEach
  void killTheRest() {
    workers.forEach(WorkerJvm::close);
  }
}
