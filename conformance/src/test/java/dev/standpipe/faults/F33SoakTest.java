package dev.standpipe.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.Audit;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.History;
import dev.standpipe.conformance.fixture.History.Entry;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.conformance.server.WorkerJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * F33: random pipelines, and random faults one after the other: workers killed and frozen,
 * connections cut, silenced, slowed and terminated, replies lost, the server killed. When the
 * faults stop, all runs come to their end and everybody's account of it agrees. Some seconds in
 * {@code verify}; {@code -Psoak -Dsoak.minutes=60} for as long as you like.
 */
class F33SoakTest {
  /** As many as wait, and are held, together. */
  private static final int MANY = 110;

  private static final int SECONDS =
      60 * Soak.count("soak.minutes", 0, 10) + Soak.count("soak.seconds", 8, 0);
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int FAULTS_PER_ROUND = 12;

  /** However long it takes to start. */
  private static final int FEWEST_FAULTS = 3;

  @TempDir private Path directory;
  private int rounds;
  private int faults;

  @Test
  void allRunsEndAndAllAccountsAgree() {
    Random random = new Random(Soak.seed("F33"));
    long until = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
    int runs = 0;
    try (PostgresServer server = PostgresServer.start()) {
      while (rounds == 0 || System.nanoTime() - until < 0) {
        try (Round round = new Round(server, random, until)) {
          runs += round.play();
        }
        rounds++;
      }
    }
    System.out.printf(
        "F33: %d s, %d pipelines, %d runs, %d faults%n", SECONDS, rounds, runs, faults);
  }

  /** One pipeline on a database of its own. */
  private final class Round implements AutoCloseable {
    private final PostgresServer server;
    private final Random random;
    private final long until;
    private final long seed;
    private final RandomPipeline pipeline;
    private final String url;
    private final DataSource source;
    private final Wire wire;
    private final EngineFixture processes;
    private final List<WorkerJvm> workers = new ArrayList<>();
    private final List<Path> histories = new ArrayList<>();
    private final List<Run<Integer>> runs = new ArrayList<>();

    Round(PostgresServer server, Random random, long until) {
      this.server = server;
      this.random = random;
      this.until = until;
      this.seed = random.nextInt(1_000_000);
      this.pipeline = new RandomPipeline(seed, (n, ctx) -> n);
      this.url = server.freshJdbcUrl();
      this.source = PostgresServer.dataSource(url);
      this.wire = Wire.to(server.port());
      this.processes = new EngineFixture(source);
    }

    /** Returns how many runs there were. */
    int play() {
      Pipeline<Integer, Integer> flow = pipeline.pipeline();
      Standpipe client = processes.client();
      for (int i = 0; i < 3; i++) {
        hire();
      }
      for (int i = 0; i < FEWEST_FAULTS || isTimeFor(i); i++) {
        int together = i == 0 ? MANY : 15;
        runs.addAll(client.startAll(flow, Collections.nCopies(together, i)));
        pause(random.nextInt(500));
        inject();
      }
      wire.heal();
      Stuck stuck = new Stuck(source, workers);
      stuck.unless(PATIENCE, () -> runs.stream().allMatch(run -> run.status().isTerminal()));
      judge();
      return runs.size();
    }

    private boolean isTimeFor(int fault) {
      return fault < FAULTS_PER_ROUND && System.nanoTime() - until < 0;
    }

    private void inject() {
      faults++;
      WorkerJvm worker = workers.get(random.nextInt(workers.size()));
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          worker.kill();
          workers.remove(worker);
          hire();
        }
        case 2 -> {
          worker.freeze();
          pause(LEASE.toMillis() * 3 / 2);
          worker.thaw();
        }
        case 3 -> during(wire::cut);
        case 4 -> during(wire::silence);
        case 5 -> during(() -> wire.slow(Duration.ofMillis(300), 100_000));
        case 6 -> wire.swallowReplies(random.nextBoolean() ? "commit" : "standpipe_task", 5);
        default -> {
          if (random.nextInt(4) == 0) {
            server.kill();
            server.restart();
          } else {
            EngineFixture.query(
                source,
                "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()");
          }
        }
      }
    }

    private void during(Runnable fault) {
      fault.run();
      pause(random.nextInt(1_500));
      wire.heal();
    }

    private void pause(long millis) {
      EngineFixture.query(source, "select pg_sleep(" + millis / 1000.0 + ")");
    }

    /** One of three is out of the wire's reach. */
    private void hire() {
      String name = "round-" + rounds + "-worker-" + histories.size();
      Path history = directory.resolve(name + ".history");
      String way =
          histories.size() % 3 == 0 ? url : wire.through(url) + "&socketTimeout=2&loginTimeout=2";
      workers.add(
          WorkerJvm.of(SoakWorker.class, name, directory)
              .heap("64m")
              .argument("name", name)
              .argument("url", way)
              .argument("history", history)
              .argument("seed", seed)
              .argument("lease", LEASE.toMillis())
              .start());
      histories.add(history);
    }

    private void judge() {
      List<Entry> entries = new ArrayList<>();
      histories.forEach(file -> entries.addAll(History.read(file)));
      Audit audit = new Audit(source, entries);
      audit.assertAllSucceeded(runs.size(), pipeline.steps());
      audit.assertHistoriesAgree();
      assertThat(processes.query("select max(attempt) <= 3 from standpipe_result"))
          .as("no crash has used up an attempt")
          .containsExactly("t");
      assertThat(processes.query("select count(*) from standpipe_task")).containsExactly("0");
    }

    @Override
    public void close() {
      workers.forEach(WorkerJvm::close);
      processes.close();
      wire.close();
    }
  }
}
