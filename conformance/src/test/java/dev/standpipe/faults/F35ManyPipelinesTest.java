package dev.standpipe.faults;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/**
 * F35: a process serves many more pipelines than it runs bodies at once. Those that have nothing to
 * do take nothing from the one that has; those that have all get their turn, and so do callbacks
 * and compensations. (How much slower it is, is for the benchmark to say: {@code pipelines}.)
 */
class F35ManyPipelinesTest {
  private static final int CONCURRENCY = 16;
  private static final int STEPS = 480;
  private static final Duration STEP = Duration.ofMillis(10);

  /** So few that are started together have rows of their own. */
  private static final int FEW = 80;

  /** At 32 bodies of 20 ms it takes at least six seconds. */
  private static final int BACKLOG = 10_000;

  private static final Duration LONGER_STEP = Duration.ofMillis(20);

  /** A chain, branches that join, and a fan-out. */
  private static final int SHAPES = 3;

  /** With their runs these are 1,500 steps; for the soak 64,000. */
  private static final int MANY = Soak.count("pipelines", 45, 150);

  private static final int RUNS_EACH = Soak.count("runs", 5, 64);

  /** Many pipelines may cost a tenth; so few steps and cold code are measured less well. */
  private static final double SLOWDOWN = Soak.count("slowdown", 200, 110) / 100.0;

  private static final int PICKUPS = 15;

  /** Much shorter than a poll interval for each of a hundred pipelines would be. */
  private static final Duration SOON = Duration.ofMillis(500);

  /** A try may meet a machine that stalls. */
  private static final int TRIES = 3;

  @Test
  void idlePipelinesDoNotSlowABusyPipelineOnPostgres() throws InterruptedException {
    slowsDownNothing(PostgresServer.hasty().freshDatabase(), 500);
  }

  @Test
  void idlePipelinesDoNotSlowABusyPipelineOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      slowsDownNothing(file.dataSource(), 200);
    }
  }

  private static void slowsDownNothing(DataSource source, int pipelines)
      throws InterruptedException {
    double best = 0;
    for (int i = 0; i < TRIES && best < 0.5; i++) {
      double alone = perSecond(source, List.of());
      double beside = perSecond(source, idle(pipelines - 1));
      System.out.printf("F35: %.0f/s alone, %.0f/s of %d%n", alone, beside, pipelines);
      best = Math.max(best, beside / alone);
    }
    assertThat(best).isGreaterThan(0.5);
  }

  private static List<Pipeline<?, ?>> idle(int count) {
    List<Pipeline<?, ?>> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(EngineFixture.single("idle-" + i, (text, ctx) -> text));
    }
    return all;
  }

  /** From the first body to the last, so that the start of the process does not count. */
  private static double perSecond(DataSource source, List<Pipeline<?, ?>> beside)
      throws InterruptedException {
    AtomicInteger done = new AtomicInteger();
    List<Long> moments = Collections.synchronizedList(new ArrayList<>());
    Pipeline<String, String> busy =
        EngineFixture.single(
            "busy",
            (text, ctx) -> {
              moments.add(System.nanoTime());
              EngineFixture.pause(STEP);
              done.incrementAndGet();
              return text;
            });
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      for (int i = 0; i < STEPS; i += FEW) {
        client.startAll(busy, Collections.nCopies(FEW, "x"));
      }
      List<Pipeline<?, ?>> all = new ArrayList<>(beside);
      all.add(beside.size() / 2, busy);
      processes.start(
          processes.process(all.toArray(Pipeline<?, ?>[]::new)).concurrency(CONCURRENCY));
      await().atMost(PATIENCE).until(() -> done.get() == STEPS);
    }
    return STEPS / ((Collections.max(moments) - Collections.min(moments)) / 1e9);
  }

  @Test
  void manyPipelinesDoNotDelayAnIdleProcess() throws InterruptedException {
    List<Long> waits = new ArrayList<>();
    BlockingQueue<Long> begun = new LinkedBlockingQueue<>();
    Pipeline<String, String> wanted =
        EngineFixture.single(
            "wanted",
            (text, ctx) -> {
              begun.add(System.nanoTime());
              return text;
            });
    List<Pipeline<?, ?>> all = idle(99);
    all.add(50, wanted);
    try (EngineFixture processes = new EngineFixture(PostgresServer.hasty().freshDatabase())) {
      processes.start(
          processes.process(all.toArray(Pipeline<?, ?>[]::new)).concurrency(CONCURRENCY));
      Standpipe client = processes.client();
      for (int i = 0; i < PICKUPS; i++) {
        long startedAt = System.nanoTime();
        Run<String> run = client.start(wanted, "x");
        waits.add(begun.take() - startedAt);
        run.await(PATIENCE);
      }
    }
    Collections.sort(waits);
    Duration median = Duration.ofNanos(waits.get(PICKUPS / 2));
    System.out.printf("F35: a run is taken up after %s by one that serves 100%n", median);
    assertThat(median).isLessThan(SOON);
  }

  @Test
  void aBacklogStarvesNoOtherPipelineOnPostgres() throws InterruptedException {
    starvesNobody(PostgresServer.hasty().freshDatabase());
  }

  @Test
  void aBacklogStarvesNoOtherPipelineOnSqlite() throws InterruptedException {
    try (SqliteFile file = SqliteFile.create()) {
      starvesNobody(file.dataSource());
    }
  }

  /** Forty pipelines are 120 lanes, with their callbacks and compensations. */
  private static void starvesNobody(DataSource source) throws InterruptedException {
    Map<String, Integer> followed = new ConcurrentHashMap<>();
    Pipeline<String, String> large =
        EngineFixture.single(
            "large",
            (text, ctx) -> {
              EngineFixture.pause(LONGER_STEP);
              return text;
            });
    List<Pipeline<String, String>> small =
        IntStream.range(0, 40).mapToObj(i -> followed("small-" + i, followed)).toList();
    try (EngineFixture processes = new EngineFixture(source)) {
      Standpipe client = processes.client();
      List<Run<String>> waiting = client.startAll(large, Collections.nCopies(BACKLOG, "x"));
      List<Pipeline<?, ?>> all = new ArrayList<>(small);
      all.add(20, large);
      for (int i = 0; i < 2; i++) {
        processes.start(
            processes.process(all.toArray(Pipeline<?, ?>[]::new)).concurrency(CONCURRENCY));
      }
      List<Run<String>> runs = new ArrayList<>();
      for (Pipeline<String, String> pipeline : small) {
        runs.add(client.start(pipeline, "x"));
      }
      await().atMost(PATIENCE).until(() -> followed.size() == 2 * small.size());
      assertThat(waiting.get(BACKLOG - 1).status())
          .as("the last of the backlog")
          .isEqualTo(RunStatus.RUNNING);
      assertThat(followed.values()).containsOnly(1);
      for (Run<String> run : runs) {
        await().atMost(PATIENCE).until(() -> run.status() == RunStatus.COMPENSATED);
      }
    }
  }

  @Test
  void manyPipelinesRunAboutAsFastAsFew() {
    double best = Double.MAX_VALUE;
    seconds(SHAPES); // so that neither is slower for coming first
    for (int i = 0; i < TRIES && best > SLOWDOWN; i++) {
      double few = seconds(SHAPES);
      double many = seconds(MANY);
      System.out.printf("F35: %.2f s in few pipelines, %.2f s in many%n", few, many);
      best = Math.min(best, many / few);
    }
    assertThat(best).isLessThan(SLOWDOWN);
  }

  /** How long two processes take for the same runs of so many pipelines. */
  private static double seconds(int pipelines) {
    List<Pipeline<Integer, Integer>> all =
        IntStream.range(0, pipelines).mapToObj(F35ManyPipelinesTest::shaped).toList();
    try (EngineFixture processes = new EngineFixture(PostgresServer.hasty().freshDatabase())) {
      Standpipe client = processes.client();
      for (int i = 0; i < MANY; i++) {
        client.startAll(all.get(i % pipelines), Collections.nCopies(RUNS_EACH, 1));
      }
      for (int i = 0; i < 2; i++) {
        processes.start(
            processes.process(all.toArray(Pipeline<?, ?>[]::new)).concurrency(CONCURRENCY));
      }
      long startedAt = System.nanoTime();
      await()
          .pollInterval(Duration.ofMillis(10))
          .atMost(PATIENCE)
          .until(() -> processes.query("select 1 from standpipe_task limit 1").isEmpty());
      return (System.nanoTime() - startedAt) / 1e9;
    }
  }

  private static Pipeline<Integer, Integer> shaped(int number) {
    return Pipeline.define(
        "shape-" + number,
        Integer.class,
        Integer.class,
        flow ->
            switch (number % SHAPES) {
              case 0 ->
                  flow.input()
                      .step("a", Integer.class, n -> n + 1)
                      .step("b", Integer.class, n -> n + 1);
              case 1 -> {
                List<Node<Integer>> branches =
                    IntStream.range(0, 5)
                        .mapToObj(i -> flow.input().step("b" + i, Integer.class, n -> n + i))
                        .toList();
                yield Node.<Integer>all(branches).step("join", Integer.class, List::size);
              }
              default ->
                  flow.input()
                      .expand("fan", Integer.class, n -> Collections.nCopies(10, n))
                      .step("work", Integer.class, n -> n + 1)
                      .collapse("sum", Integer.class, List::size);
            });
  }

  /** One step that succeeds and is undone, since the next one fails; then a callback is told. */
  private static Pipeline<String, String> followed(String name, Map<String, Integer> followed) {
    return Pipeline.define(
        name,
        String.class,
        String.class,
        flow -> {
          flow.onComplete(end -> followed.merge(name + " told", 1, Integer::sum));
          return flow.input()
              .step("done", String.class, text -> text)
              .compensate(text -> followed.merge(name + " undone", 1, Integer::sum))
              .step(
                  "fails",
                  String.class,
                  text -> {
                    throw new IllegalStateException("as it should");
                  })
              .retry(Retry.never());
        });
  }
}
