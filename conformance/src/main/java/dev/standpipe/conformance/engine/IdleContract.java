package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.StatementCount;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a process costs while there is nothing to do, and what it costs to await what is over. */
public interface IdleContract extends EnginePart {
  Duration WINDOW = Duration.ofSeconds(3);

  /** Two in a second on average; the jitter of a few seconds may make it more. */
  int MOST_IN_WINDOW = 9;

  int MOST_THREADS = 10;

  int MANY_PIPELINES = 100;

  int CLUSTER = 8;

  /** What each of eight may ask of its share: by itself each would ask half as often again. */
  int MOST_OF_CLUSTER_IN_WINDOW = CLUSTER * MOST_IN_WINDOW / 2;

  @Test
  default void anIdleProcessKeepsItsQueryAndThreadBudget() throws InterruptedException {
    Set<Thread> before = new HashSet<>(threads());
    StatementCount count = StatementCount.before(engine().source());
    engine().start(Standpipe.on(count.dataSource()).serve(idle(1)));
    assertThat(threads()).filteredOn(thread -> !before.contains(thread)).isNotEmpty();
    asksAtMost(MOST_IN_WINDOW, count);
    assertThat(threads())
        .filteredOn(thread -> !before.contains(thread))
        .hasSizeLessThanOrEqualTo(MOST_THREADS);
  }

  @Test
  default void manyPipelinesDoNotRaiseTheIdleCost() throws InterruptedException {
    Set<Thread> before = new HashSet<>(threads());
    StatementCount count = StatementCount.before(engine().source());
    engine().start(Standpipe.on(count.dataSource()).serve(idle(MANY_PIPELINES)));
    asksAtMost(MOST_IN_WINDOW, count);
    assertThat(threads())
        .filteredOn(thread -> !before.contains(thread))
        .hasSizeLessThanOrEqualTo(MOST_THREADS);
  }

  @Test
  default void idleProcessesShareTheirPolling() throws InterruptedException {
    StatementCount count = StatementCount.before(engine().source());
    for (int i = 0; i < CLUSTER; i++) {
      engine().start(Standpipe.on(count.dataSource()).serve(idle(2)));
    }
    asksAtMost(MOST_OF_CLUSTER_IN_WINDOW, count);
  }

  /** Pipelines with all that can follow a run, each of which is a lane of its own. */
  private static Pipeline<?, ?>[] idle(int pipelines) {
    return IntStream.range(0, pipelines)
        .mapToObj(
            i ->
                Pipeline.define(
                    "idle-" + i,
                    String.class,
                    String.class,
                    flow -> {
                      flow.onComplete(end -> {});
                      return flow.input()
                          .step("work", String.class, text -> text)
                          .compensate(text -> {});
                    }))
        .toArray(Pipeline<?, ?>[]::new);
  }

  /** It takes a while until a process that has just begun has nothing to do. */
  private static void asksAtMost(int most, StatementCount count) throws InterruptedException {
    List<Long> windows = new ArrayList<>();
    long until = System.nanoTime() + PATIENCE.toNanos();
    do {
      long began = count.total();
      EngineFixture.pause(WINDOW);
      windows.add(count.total() - began);
    } while (windows.get(windows.size() - 1) > most && until - System.nanoTime() > 0);
    assertThat(windows)
        .last()
        .as("of %s", windows)
        .satisfies(last -> assertThat(last).isBetween(1L, (long) most));
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("standpipe-"))
        .filter(thread -> !thread.getName().startsWith("standpipe-body"))
        .toList();
  }

  /** Now and then the poll for all who wait comes by at the same moment. */
  @Test
  default void awaitingAnEndedRunCostsOneQuery() throws InterruptedException {
    Pipeline<String, String> pipeline = single("over", (text, ctx) -> text);
    Run<String> run = engine().serve(pipeline).start(pipeline, "done");
    assertThat(run.await(PATIENCE)).isEqualTo("done");
    StatementCount count = StatementCount.before(engine().source());
    Standpipe client = engine().start(Standpipe.on(count.dataSource()));
    List<Long> asked = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Run<String> found = client.run(pipeline, run.id());
      long before = count.total();
      assertThat(found.await(Duration.ZERO)).isEqualTo("done");
      asked.add(count.total() - before);
    }
    assertThat(asked).filteredOn(queries -> queries != 1).hasSizeLessThan(3);
  }

  @Test
  default void awaitingManyEndedRunsSharesQueries() throws InterruptedException {
    int many = 600;
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "many",
            Integer.class,
            Integer.class,
            flow -> flow.input().step("work", Integer.class, n -> n + 1));
    engine().serve(pipeline);
    StatementCount count = StatementCount.before(engine().source());
    Standpipe client = engine().start(Standpipe.on(count.dataSource()));
    List<Run<Integer>> runs = new ArrayList<>();
    runs.addAll(client.startAll(pipeline, IntStream.range(0, many).boxed().toList()));
    for (int i = 0; i < 100; i++) {
      runs.add(client.start(pipeline, many + i));
    }
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                engine()
                    .query("select count(*) from standpipe_run where finished_at is null")
                    .equals(List.of("0")));
    long before = count.total();
    for (int i = 0; i < runs.size(); i++) {
      assertThat(runs.get(i).await(PATIENCE)).isEqualTo(i + 1);
    }
    assertThat(count.total() - before).isLessThan(runs.size() / 20);
  }
}
