package dev.standpipe.faults;

import static dev.standpipe.faults.Workers.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.fixture.History.What;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F43: Patroni looks after three PostgreSQL, whose primary is killed while workers are busy, and
 * while they start. A standby is promoted after some 20 seconds, which is longer than any lease
 * here. It has every commit that was acknowledged.
 */
class F43PatroniTest {
  private static final Duration PAUSE = Duration.ofMillis(25);
  private static final int RUNS = 30;

  @TempDir private static Path cluster;
  private static PatroniCluster patroni;

  @TempDir private Path directory;
  private final HikariDataSource pool = new HikariDataSource();
  private Workers workers;
  private EngineFixture processes;
  private String url;
  private DataSource source;

  @BeforeAll
  static void startCluster() {
    patroni = PatroniCluster.start(cluster);
  }

  @AfterAll
  static void stopCluster() {
    if (patroni != null) {
      patroni.close();
    }
  }

  @BeforeEach
  void createDatabase() {
    patroni.restartKilled();
    url = patroni.freshDatabase();
    source = PostgresServer.dataSource(url);
    workers = new Workers(directory);
    processes = new EngineFixture(source);
  }

  @AfterEach
  void stopEverybody() {
    processes.close();
    pool.close();
    workers.close();
  }

  @Test
  void aFailoverCountsNoCrashesAndAllRunsEnd() throws Exception {
    Duration lease = Duration.ofSeconds(12);
    workers.hire("worker-0", url, lease, PAUSE);
    workers.hire("worker-1", url, lease, PAUSE);
    workers.all().forEach(worker -> worker.awaitLine("ready"));
    patroni.awaitWhole();

    Standpipe client = processes.client();
    Pipeline<Integer, Integer> flow = FaultWorker.flowOfClients();
    List<Run<Integer>> runs = new ArrayList<>(client.startAll(flow, Collections.nCopies(RUNS, 1)));
    AtomicBoolean enough = new AtomicBoolean();
    CompletableFuture<List<Run<Integer>>> more =
        CompletableFuture.supplyAsync(() -> keepStarting(client, flow, enough));
    workers.awaitCount("worker-0", What.ACCEPTED, 30);
    workers.awaitCount("worker-1", What.ACCEPTED, 30);

    long killedAt = System.nanoTime();
    patroni.killPrimary();
    patroni.awaitPrimary();
    long promotedAt = System.nanoTime();
    enough.set(true);
    runs.addAll(more.get());
    workers.assertAllWell(source, runs);

    assertThat(workers.said("event=lease_lost")).as("each has tolerated its lease").isEqualTo(2);
    assertThat(workers.said("event=process_reaped")).isZero();
    assertThat(processes.query("select * from standpipe_attempt")).as("crashes").isEmpty();
    Duration after = Duration.ofNanos(lastEnd() - promotedAt);
    System.out.printf(
        "F43: failover in %d ms, %d runs ended %d ms later%n",
        Duration.ofNanos(promotedAt - killedAt).toMillis(), runs.size(), after.toMillis());
    assertThat(after).isPositive().isLessThan(lease);
  }

  /** Has a run started at every moment: also when the primary dies, and while there is none. */
  private static List<Run<Integer>> keepStarting(
      Standpipe client, Pipeline<Integer, Integer> flow, AtomicBoolean enough) {
    List<Run<Integer>> started = new ArrayList<>();
    while (!enough.get() && started.size() < RUNS) {
      started.add(client.start(flow, 2));
      await().pollDelay(PAUSE.multipliedBy(4)).until(() -> true);
    }
    return started;
  }

  private long lastEnd() {
    return workers.all().stream()
        .flatMap(worker -> workers.history(worker.name()).stream())
        .filter(entry -> entry.what() == What.RUN_ENDED)
        .mapToLong(Entry::at)
        .max()
        .orElseThrow();
  }

  @Test
  void workersThatStartDuringAFailoverWaitForItsEnd() {
    Duration lease = Duration.ofSeconds(5);
    WorkerJvm lost = workers.hireReady("lost", url, lease, PAUSE);
    Pipeline<Integer, Integer> flow = FaultWorker.flowOfClients();
    Standpipe client = processes.client();
    patroni.awaitWhole();
    List<Run<Integer>> runs = client.startAll(flow, Collections.nCopies(RUNS, 1));
    workers.awaitCount("lost", What.ACCEPTED, 30);

    int standby = patroni.bystander();
    int dead = patroni.killPrimary();
    lost.kill();
    try (Wire toStandby = Wire.to(standby);
        Wire toNobody = Wire.to(dead)) {
      String standbyUrl = toStandby.through(PatroniCluster.at(standby, url));
      String nobodyUrl = toNobody.through(PatroniCluster.at(dead, url));
      List<WorkerJvm> replacements =
          List.of(
              workers.hire("finds-the-primary", url, lease, PAUSE),
              workers.hire("led-to-a-standby", standbyUrl, lease, PAUSE),
              workers.hire("led-to-nobody", nobodyUrl, lease, PAUSE));
      CompletableFuture<Standpipe> pooled = CompletableFuture.supplyAsync(this::startWithAPool);
      await().atMost(PATIENCE).until(() -> replacements.stream().allMatch(this::isWaiting));
      int promoted = patroni.awaitPrimary();
      assertThat(promoted).isNotEqualTo(standby);
      assertThat(workers.said("ready")).as("only the one that was there before").isEqualTo(1);
      toStandby.leadTo(promoted);
      toNobody.leadTo(promoted);

      replacements.forEach(worker -> worker.awaitLine("ready"));
      assertThat(pooled).succeedsWithin(PATIENCE);
      patroni.restartKilled();
      workers.assertAllWell(source, runs);
      assertThat(replacements).allMatch(WorkerJvm::isAlive);
    }
  }

  /** As frameworks set one up: it is opened by its first use, and fails if nobody is there. */
  private Standpipe startWithAPool() {
    pool.setJdbcUrl(url);
    return processes.start(
        Standpipe.on(pool).serve(EngineFixture.single("pooled", (text, ctx) -> text)));
  }

  private boolean isWaiting(WorkerJvm worker) {
    return worker.output().stream().anyMatch(line -> line.contains("event=database_unreachable"));
  }
}
