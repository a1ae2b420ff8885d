package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.Databases;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.conformance.server.WorkerJvm;
import dev.standpipe.error.RunEndedException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F52, and F2's transactional half: whatever becomes of a transactional body and its process, its
 * rows are there exactly once if its step has succeeded, and not at all otherwise (I9).
 */
class F52TransactionalBodyTest {
  private static final int KILLS = Soak.count("transactional-kills", 6, 60);
  private static final int REPLIES = Soak.count("transactional-replies", 5, 200);
  private static final Duration LEASE = Duration.ofSeconds(1);

  @TempDir private Path directory;

  @Test
  void aKilledBodysRowsAreThereOnceOnPostgres() {
    aKilledBodysRowsAreThereOnce(PostgresServer.shared().freshJdbcUrl());
  }

  @Test
  void aKilledBodysRowsAreThereOnceOnSqlite() {
    try (SqliteFile file = SqliteFile.create()) {
      aKilledBodysRowsAreThereOnce(file.jdbcUrl());
    }
  }

  /** Kills at random moments: before the write, after it, around the commit. */
  private void aKilledBodysRowsAreThereOnce(String url) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (EngineFixture processes = new EngineFixture(Databases.source(url))) {
      Standpipe client = processes.client();
      createBooking(processes);
      List<Run<String>> runs = new ArrayList<>();
      for (int kills = 0; kills < KILLS; kills++) {
        runs.addAll(
            client.startAll(BookingWorker.flow(Duration.ZERO), Collections.nCopies(40, "x")));
        try (WorkerJvm worker = worker(url, "worker-" + kills, Duration.ofMillis(2))) {
          worker.awaitLine("written");
          pause(Duration.ofMillis(random.nextInt(150)));
          worker.kill();
        }
      }
      try (WorkerJvm last = worker(url, "last", Duration.ZERO)) {
        last.awaitLine("ready");
        await()
            .atMost(PATIENCE.multipliedBy(2))
            .until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
      }
      assertThat(runs)
          .as("seed %d", seed)
          .allSatisfy(run -> assertThat(run.await(PATIENCE)).isEqualTo("xott"));
      assertEachStepBookedOnce(processes, 3 * runs.size());
    }
  }

  /** The zombie's transaction is open while another process does its step. */
  @Test
  void aZombiesRowsAreGone() throws InterruptedException {
    String url = PostgresServer.hasty().freshJdbcUrl();
    try (EngineFixture processes = new EngineFixture(Databases.source(url))) {
      Standpipe client = processes.client();
      createBooking(processes);
      try (WorkerJvm zombie = worker(url, "zombie", Duration.ofSeconds(4))) {
        zombie.awaitLine("ready");
        List<Run<String>> runs =
            client.startAll(BookingWorker.flow(Duration.ZERO), Collections.nCopies(4, "x"));
        await()
            .atMost(PATIENCE)
            .until(
                () -> zombie.output().stream().filter(l -> l.startsWith("written")).count() == 4);
        zombie.freeze();
        try (WorkerJvm successor = worker(url, "successor", Duration.ZERO)) {
          successor.awaitLine("ready");
          await()
              .atMost(PATIENCE)
              .until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
          zombie.thaw();
          await()
              .atMost(PATIENCE)
              .until(
                  () ->
                      processes
                          .query(
                              "select count(*) from pg_stat_activity where state = 'idle in"
                                  + " transaction' and datname = current_database()")
                          .equals(List.of("0")));
        }
        for (Run<String> run : runs) {
          assertThat(run.await(PATIENCE)).isEqualTo("xott");
        }
        assertEachStepBookedOnce(processes, 12);
      }
    }
  }

  /** The commit takes effect, and nobody hears of it. */
  @Test
  void aLostReplyToTheCommitIsFoundOut() throws InterruptedException {
    String url = PostgresServer.shared().freshJdbcUrl();
    try (EngineFixture processes = new EngineFixture(Databases.source(url));
        Wire wire = Wire.to(PostgresServer.shared().port())) {
      Standpipe client = processes.client();
      createBooking(processes);
      AtomicInteger bodies = new AtomicInteger();
      Pipeline<String, String> pipeline = counting(bodies);
      Standpipe deaf =
          processes.start(
              Standpipe.on(PostgresServer.dataSource(wire.through(url)))
                  .serve(pipeline)
                  .grace(Duration.ofSeconds(2)));
      assertThat(deaf.start(pipeline, "warm").await(PATIENCE)).isEqualTo("warm!");
      for (int i = 0; i < REPLIES; i++) {
        wire.swallowRepliesTo("commit", 1);
        Run<String> run = client.start(pipeline, "x" + i);
        assertThat(run.await(PATIENCE)).isEqualTo("x" + i + "!");
        int now = i + 1;
        await().atMost(PATIENCE).until(() -> wire.swallowed() >= now);
      }
      assertThat(bodies).hasValue(1 + REPLIES);
      assertThat(processes.query("select count(*) from booking"))
          .containsExactly(Integer.toString(1 + REPLIES));
      assertThat(processes.query("select count(*) from standpipe_attempt")).containsExactly("0");
    }
  }

  private static Pipeline<String, String> counting(AtomicInteger bodies) {
    return Pipeline.define(
        "counted",
        String.class,
        String.class,
        flow ->
            flow.input()
                .transactional(
                    "book",
                    String.class,
                    (text, tx) -> {
                      bodies.incrementAndGet();
                      execute(tx.connection().createStatement(), text);
                      return text;
                    })
                .retry(Retry.never())
                .step("after", String.class, text -> text + "!"));
  }

  private static void execute(Statement statement, String text) throws SQLException {
    try (statement) {
      statement.executeUpdate("insert into booking (step, token) values ('" + text + "', 1)");
    }
  }

  /** Bodies lock two rows of the user's in either order: PostgreSQL undoes one of them. */
  @Test
  void aDeadlockCostsNoRetry() throws InterruptedException {
    String url = PostgresServer.shared().freshJdbcUrl();
    try (EngineFixture processes = new EngineFixture(Databases.source(url))) {
      processes.execute("create table account (id integer primary key, balance integer not null)");
      processes.execute("insert into account values (0, 0), (1, 0)");
      Pipeline<Integer, Integer> pipeline =
          Pipeline.define(
              "transfers",
              Integer.class,
              Integer.class,
              flow ->
                  flow.input()
                      .transactional(
                          "transfer",
                          Integer.class,
                          (n, tx) -> {
                            try (Statement statement = tx.connection().createStatement()) {
                              for (int at : List.of(n % 2, 1 - n % 2)) {
                                statement.executeUpdate(
                                    "update account set balance = balance + 1 where id = " + at);
                                pause(Duration.ofMillis(20));
                              }
                            }
                            return n;
                          })
                      .retry(Retry.never()));
      Standpipe standpipe = processes.start(processes.process(pipeline).concurrency(2));
      List<Run<Integer>> runs = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        runs.add(standpipe.start(pipeline, i));
      }
      assertThat(EngineFixture.await(runs)).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
      assertThat(processes.query("select balance from account order by id"))
          .containsExactly("10", "10");
      assertThat(processes.query("select count(*) from standpipe_attempt")).containsExactly("0");
    }
  }

  /** Cancels come at any moment: a run that was canceled has booked what its steps say. */
  @Test
  void aCancelInTheMiddleLeavesNoRowsOfItsOwn() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    String url = PostgresServer.shared().freshJdbcUrl();
    try (EngineFixture processes = new EngineFixture(Databases.source(url))) {
      createBooking(processes);
      Pipeline<String, String> pipeline = BookingWorker.flow(Duration.ofMillis(3));
      Standpipe standpipe = processes.serve(pipeline);
      List<Run<String>> runs = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        Run<String> run = standpipe.start(pipeline, "x");
        runs.add(run);
        pause(Duration.ofMillis(random.nextInt(12)));
        try {
          standpipe.operator("ann").cancel(run.id(), "race", Duration.ofSeconds(1));
        } catch (RunEndedException e) {
          assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
        }
      }
      await()
          .atMost(PATIENCE)
          .until(() -> runs.stream().allMatch(run -> run.status().isTerminal()));
      assertThat(runs).extracting(Run::status).contains(RunStatus.CANCELED);
      assertThat(
              processes.query(
                  "select count(*) from booking where not exists (select 1 from standpipe_result r"
                      + " where r.run_id || ' ' || r.node = booking.step and r.outcome = 1)"))
          .as("rows of steps that have not succeeded, seed %d", seed)
          .containsExactly("0");
      assertThat(
              processes.query(
                  "select count(*) from standpipe_result r where r.node <> '$input' and r.outcome ="
                      + " 1 and (select count(*) from booking b where b.step = r.run_id || ' ' ||"
                      + " r.node) <> 1"))
          .as("steps that have succeeded without just one row, seed %d", seed)
          .containsExactly("0");
    }
  }

  private WorkerJvm worker(String url, String name, Duration hold) {
    return WorkerJvm.of(BookingWorker.class, name, directory)
        .argument("url", url)
        .argument("lease", LEASE.toMillis())
        .argument("hold", hold.toMillis())
        .start();
  }

  private static void createBooking(EngineFixture processes) {
    processes.execute("create table booking (step varchar(200) not null, token bigint not null)");
  }

  private static void assertEachStepBookedOnce(EngineFixture processes, int steps) {
    assertThat(processes.query("select step from booking group by step having count(*) > 1"))
        .isEmpty();
    assertThat(processes.query("select count(*) from booking"))
        .containsExactly(Integer.toString(steps));
    assertThat(processes.query("select count(*) from standpipe_attempt where outcome = 'failed'"))
        .as("no step has failed")
        .containsExactly("0");
  }

  private static void pause(Duration time) {
    try {
      EngineFixture.pause(time);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
