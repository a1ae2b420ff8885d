package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StepContext;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.Racers;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.Wire;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.error.NotPausedException;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.error.RunHaltingException;
import dev.standpipe.info.StepId;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * F40: operators who are 30 ms away from the database release, revive, cancel, pause and fork runs
 * while the last bodies of these end. Between what an operator reads and what it writes there is
 * time for anything: each run has one outcome, nothing is done twice, and nothing gets stuck.
 */
class F40FarOperatorTest {
  private static final int RUNS = 12;
  private static final Duration FAR = Duration.ofMillis(30);
  private static final int LATEST_MILLIS = 400;

  private final Map<UUID, CountDownLatch> begun = new ConcurrentHashMap<>();
  private final Map<UUID, CountDownLatch> gates = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
  private final AtomicBoolean broken = new AtomicBoolean();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Pipeline<Integer, Integer> pipeline =
      Pipeline.define(
          "far",
          Integer.class,
          Integer.class,
          flow -> {
            var input = flow.input();
            var left = input.step("left", Integer.class, this::left).retry(Retry.never());
            var right = input.step("right", Integer.class, this::right);
            return Node.join(left, right)
                .step("both", Integer.class, (l, r, ctx) -> counted(ctx, l + r));
          });

  private Wire wire;
  private HikariDataSource pool;
  private EngineFixture near;
  private Standpipe far;
  private Standpipe client;

  @BeforeEach
  void connect() {
    String url = PostgresServer.hasty().freshJdbcUrl();
    wire = Wire.to(PostgresServer.hasty().port());
    near = new EngineFixture(PostgresServer.dataSource(url));
    client = near.client();
    pool =
        PostgresServer.pool(
            PostgresServer.dataSource(wire.through(url)), RUNS + 4, Duration.ofSeconds(30));
    far = Standpipe.on(pool).start();
    wire.slow(FAR, Integer.MAX_VALUE);
  }

  @AfterEach
  void disconnect() {
    wire.heal();
    far.close();
    near.close();
    pool.close();
    wire.close();
  }

  private int left(int input, StepContext ctx) throws IOException, InterruptedException {
    if (broken.get()) {
      assertThat(begun(ctx.runId()).await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      throw new IOException("broken on purpose");
    }
    return counted(ctx, input);
  }

  private int right(int input, StepContext ctx) throws InterruptedException {
    waiting.incrementAndGet();
    begun(ctx.runId()).countDown();
    assertThat(gate(ctx.runId()).await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return counted(ctx, 2 * input);
  }

  private int counted(StepContext ctx, int value) {
    bodies
        .computeIfAbsent(ctx.runId() + " " + ctx.node(), key -> new AtomicInteger())
        .incrementAndGet();
    return value;
  }

  private CountDownLatch begun(UUID run) {
    return begun.computeIfAbsent(run, id -> new CountDownLatch(1));
  }

  private CountDownLatch gate(UUID run) {
    return gates.computeIfAbsent(run, id -> new CountDownLatch(1));
  }

  private void serve() {
    near.start(near.process(pipeline).concurrency(4 * RUNS));
  }

  private List<Run<Integer>> start() {
    List<Run<Integer>> runs = new ArrayList<>();
    for (int i = 0; i < RUNS; i++) {
      runs.add(client.start(pipeline, i));
    }
    return runs;
  }

  /** Has an operator act on each run while its last body ends, sooner or later. */
  private void whileBodiesEnd(List<Run<Integer>> runs, Consumer<Run<Integer>> act) {
    await().atMost(PATIENCE).until(() -> waiting.get() >= RUNS);
    long seed = new Random().nextLong();
    System.out.println("F40: seed " + seed);
    Random random = new Random(seed);
    List<Integer> pauses = random.ints(RUNS, 0, LATEST_MILLIS).boxed().toList();
    Racers.race(
        2 * RUNS,
        number -> {
          Run<Integer> run = runs.get(number / 2);
          if (number % 2 == 0) {
            EngineFixture.pause(Duration.ofMillis(pauses.get(number / 2)));
            gate(run.id()).countDown();
          } else {
            act.accept(run);
          }
          return true;
        });
  }

  private static void untilEnded(Runnable act) {
    await()
        .atMost(PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              try {
                act.run();
                return true;
              } catch (RunHaltingException e) {
                return false;
              }
            });
  }

  private void assertAllDoneOnce(List<Run<Integer>> runs) throws InterruptedException {
    for (int i = 0; i < RUNS; i++) {
      assertThat(runs.get(i).await(PATIENCE)).isEqualTo(3 * i);
    }
    assertThat(bodies).hasSize(3 * RUNS).allSatisfy((k, n) -> assertThat(n).as(k).hasValue(1));
    assertThat(client.doctor()).isEmpty();
  }

  @Test
  void aReleaseRedoesNothing() throws InterruptedException {
    UUID dying = UUID.randomUUID();
    near.execute(
        "insert into standpipe_process (id, name, host, pid, crash_limit, lease_us, lease_expires_at)"
            + " values ('%s', 'dying', 'here', 1, 10, 1000, clock_timestamp() + interval '1 hour')"
                .formatted(dying));
    List<Run<Integer>> runs = start();
    near.execute(
        "update standpipe_task set state = 1, owner = '%s', token = 9, crashes = 9 where node = 'left'"
            .formatted(dying));
    serve();
    await().atMost(PATIENCE).until(() -> waiting.get() >= RUNS);
    near.execute(
        "update standpipe_process set lease_expires_at = clock_timestamp() where id = '%s'"
            .formatted(dying));
    await()
        .atMost(PATIENCE)
        .until(() -> runs.stream().allMatch(run -> run.status() == RunStatus.HALTING));
    whileBodiesEnd(
        runs,
        run ->
            untilEnded(
                () ->
                    far.quarantine()
                        .release(new StepId(run.id(), "left", 0), "ann", "works again")));
    assertAllDoneOnce(runs);
  }

  @Test
  void aReviveRedoesNothing() throws InterruptedException {
    broken.set(true);
    serve();
    List<Run<Integer>> runs = start();
    await()
        .atMost(PATIENCE)
        .until(() -> runs.stream().allMatch(run -> run.status() == RunStatus.HALTING));
    broken.set(false);
    Operator ann = far.operator("ann");
    whileBodiesEnd(runs, run -> untilEnded(() -> ann.revive(run.id(), "works again")));
    assertAllDoneOnce(runs);
  }

  @Test
  void aCancelAndTheLastStepHaveOneOutcome() {
    serve();
    List<Run<Integer>> runs = start();
    Operator ann = far.operator("ann");
    Map<UUID, RunStatus> told = new ConcurrentHashMap<>();
    whileBodiesEnd(
        runs,
        run -> {
          try {
            ann.cancel(run.id(), "not needed");
            told.put(run.id(), RunStatus.CANCELED);
          } catch (RunEndedException e) {
            told.put(run.id(), e.status());
          }
        });
    await().atMost(PATIENCE).until(() -> runs.stream().allMatch(r -> r.status().isTerminal()));
    assertThat(runs).allMatch(run -> run.status() == told.get(run.id()));
    assertThat(client.doctor()).isEmpty();
  }

  @Test
  void aPauseLosesNothing() throws InterruptedException {
    serve();
    List<Run<Integer>> runs = start();
    Operator ann = far.operator("ann");
    whileBodiesEnd(
        runs,
        run -> {
          try {
            ann.pause(run.id(), "wait");
            ann.resume(run.id(), "go on");
          } catch (RunEndedException | NotPausedException e) { // before that, or while paused
            assertThat(run.status()).isEqualTo(RunStatus.SUCCEEDED);
          }
        });
    assertAllDoneOnce(runs);
  }

  @Test
  void aForkTakesOverAConsistentSnapshot() throws InterruptedException {
    serve();
    List<Run<Integer>> runs = start();
    Operator ann = far.operator("ann");
    Map<UUID, UUID> forks = new ConcurrentHashMap<>();
    whileBodiesEnd(
        runs,
        run ->
            await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(
                    () -> {
                      try {
                        forks.put(run.id(), ann.fork(run.id(), "both", "once more"));
                        return true;
                      } catch (NotForkableException e) {
                        return false;
                      }
                    }));
    for (int i = 0; i < RUNS; i++) {
      UUID fork = forks.get(runs.get(i).id());
      assertThat(runs.get(i).await(PATIENCE)).isEqualTo(3 * i);
      assertThat(client.run(pipeline, fork).await(PATIENCE)).isEqualTo(3 * i);
    }
    assertThat(bodies).hasSize(4 * RUNS).allSatisfy((k, n) -> assertThat(n).as(k).hasValue(1));
  }
}
