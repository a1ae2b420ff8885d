package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.Racers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Several processes on one database. */
public interface SharingContract extends EnginePart {
  /** Three steps, one of them a join; counts how often each body ran. */
  private static Pipeline<Integer, Integer> counting(Map<String, AtomicInteger> bodies) {
    return counting(bodies, () -> {});
  }

  private static Pipeline<Integer, Integer> counting(
      Map<String, AtomicInteger> bodies, Runnable before) {
    return Pipeline.define(
        "shared",
        Integer.class,
        Integer.class,
        flow -> {
          Node<Integer> left =
              flow.input()
                  .step(
                      "left",
                      Integer.class,
                      (n, ctx) -> {
                        before.run();
                        return count(bodies, ctx.idempotencyKey(), n);
                      });
          Node<Integer> right =
              flow.input()
                  .step(
                      "right",
                      Integer.class,
                      (n, ctx) -> count(bodies, ctx.idempotencyKey(), 2 * n));
          return Node.join(left, right)
              .step(
                  "sum", Integer.class, (a, b, ctx) -> count(bodies, ctx.idempotencyKey(), a + b));
        });
  }

  private static int count(Map<String, AtomicInteger> bodies, String key, int value) {
    bodies.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
    return value;
  }

  @Test
  default void twoProcessesRunEachSharedRunOnce() throws InterruptedException {
    int count = 2_000;
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    List<Heard> heard = List.of(new Heard(), new Heard());
    Pipeline<Integer, Integer> pipeline = counting(bodies);
    Standpipe client = engine().client();
    List<Run<Integer>> runs = client.startAll(pipeline, IntStream.range(0, count).boxed().toList());
    CountDownLatch bothWork = new CountDownLatch(heard.size());
    for (Heard listener : heard) {
      AtomicBoolean works = new AtomicBoolean();
      engine()
          .start(
              engine()
                  .process(counting(bodies, () -> waitForTheOther(works, bothWork)))
                  .lease(Duration.ofMinutes(1)) // a stalled disk must not have steps run twice
                  .listener(listener));
    }
    assertThat(EngineFixture.await(runs))
        .isEqualTo(IntStream.range(0, count).map(n -> 3 * n).boxed().toList());

    assertThat(bodies).hasSize(3 * count).allSatisfy((key, ran) -> assertThat(ran).hasValue(1));
    assertThat(
            engine()
                .query(
                    "select count(*), count(distinct process_id) from standpipe_result where outcome = 1 and node <> '$input'"))
        .containsExactly(3 * count + "|2");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
    for (Heard listener : heard) {
      assertThat(listener.all()).noneMatch(e -> e.name().equals("stale_write_blocked"));
    }
  }

  @Test
  default void twoProcessesRunEachElementOnce() throws InterruptedException {
    int count = 3_000;
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    Run<Integer> run = engine().client().start(wide(bodies, () -> {}), count);
    CountDownLatch bothWork = new CountDownLatch(2);
    for (int i = 0; i < 2; i++) {
      AtomicBoolean works = new AtomicBoolean();
      engine()
          .start(
              engine()
                  .process(wide(bodies, () -> waitForTheOther(works, bothWork)))
                  .lease(Duration.ofMinutes(1)));
    }
    assertThat(run.await(PATIENCE)).isEqualTo(count * (count - 1) / 2);
    assertThat(bodies).hasSize(count).allSatisfy((key, ran) -> assertThat(ran).hasValue(1));
    assertThat(
            engine()
                .query(
                    "select count(*), count(distinct process_id) from standpipe_result where outcome = 1 and node = 'each'"))
        .containsExactly(count + "|2");
    assertThat(engine().query("select count(*) from standpipe_task")).containsExactly("0");
    assertThat(engine().query("select count(*) from standpipe_attempt")).containsExactly("0");
  }

  private static Pipeline<Integer, Integer> wide(
      Map<String, AtomicInteger> bodies, Runnable before) {
    return Pipeline.define(
        "wide",
        Integer.class,
        Integer.class,
        flow ->
            flow.input()
                .expand("items", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                .step(
                    "each",
                    Integer.class,
                    (n, ctx) -> {
                      before.run();
                      return count(bodies, ctx.idempotencyKey(), n);
                    })
                .collapse("sum", Integer.class, all -> all.stream().mapToInt(n -> n).sum()));
  }

  /** One process alone could do it all before the other has started. */
  private static void waitForTheOther(AtomicBoolean works, CountDownLatch bothWork) {
    if (works.compareAndSet(false, true)) {
      bothWork.countDown();
    }
    try {
      bothWork.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  default void tenProcessesMayStartAtOnceOnAnEmptyDatabase() throws InterruptedException {
    Pipeline<String, String> pipeline = single("crowded", (text, ctx) -> text + "!");
    try (EngineFixture empty = new EngineFixture(emptyDatabase())) {
      List<String> results =
          Racers.race(
              10,
              number -> empty.serve(pipeline).start(pipeline, "process " + number).await(PATIENCE));
      assertThat(results)
          .isEqualTo(IntStream.range(0, 10).mapToObj(i -> "process " + i + "!").toList());
      assertThat(empty.query("select count(*) from standpipe_definition")).containsExactly("1");
      assertThat(empty.query("select count(*) from standpipe_process")).containsExactly("10");
    }
  }

  @Test
  default void tablesWithAnotherPrefixAreAnotherStandpipe() throws InterruptedException {
    Pipeline<String, String> pipeline = single("prefixed", (text, ctx) -> text);
    Standpipe one = engine().serve(pipeline);
    Standpipe other = engine().start(engine().process(pipeline).tablePrefix("flows_"));
    assertThat(other.start(pipeline, "flows").await(PATIENCE)).isEqualTo("flows");
    assertThat(one.start(pipeline, "standpipe").await(PATIENCE)).isEqualTo("standpipe");
    assertThat(engine().query("select value from flows_result where node = 'work'"))
        .containsExactly("\"flows\"");
    assertThat(engine().query("select value from standpipe_result where node = 'work'"))
        .containsExactly("\"standpipe\"");
  }

  @Test
  default void runsStartedUnderLoadAllSucceed() throws InterruptedException {
    Map<String, AtomicInteger> bodies = new ConcurrentHashMap<>();
    Pipeline<Integer, Integer> pipeline = counting(bodies);
    List<Standpipe> processes = List.of(engine().serve(pipeline), engine().serve(pipeline));
    List<List<Run<Integer>>> started =
        Racers.race(
            8,
            number -> {
              List<Run<Integer>> mine = new ArrayList<>();
              for (int i = 0; i < 50; i++) {
                mine.add(processes.get(number % 2).start(pipeline, i));
              }
              return mine;
            });
    for (List<Run<Integer>> runs : started) {
      assertThat(EngineFixture.await(runs))
          .isEqualTo(IntStream.range(0, 50).map(n -> 3 * n).boxed().toList());
    }
    assertThat(bodies).hasSize(8 * 50 * 3).allSatisfy((key, ran) -> assertThat(ran).hasValue(1));
  }
}
