package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Each;
import dev.standpipe.ElementSource;
import dev.standpipe.HaltReason;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunFailedException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Expands whose elements come one after the other. */
public interface StreamContract extends EnginePart {
  /** More than two chunks. */
  int MANY = 2_500;

  private static Pipeline<Integer, Long> sum(
      String name, Function<Node<Integer>, Each<Integer>> expand) {
    return Pipeline.define(
        name,
        Integer.class,
        Long.class,
        flow ->
            expand
                .apply(flow.input())
                .step("twice", Integer.class, n -> 2 * n)
                .reduce("sum", Long.class, () -> 0L, Long::sum));
  }

  private static long doubled(int count) {
    return (long) count * (count - 1);
  }

  @Test
  default void aStreamIsReadInChunksAndClosed() throws InterruptedException {
    AtomicInteger closed = new AtomicInteger();
    Pipeline<Integer, Long> sum =
        sum(
            "stream",
            n ->
                n.expandStream(
                    "numbers",
                    Integer.class,
                    count -> IntStream.range(0, count).boxed().onClose(closed::incrementAndGet)));
    Standpipe standpipe = engine().serve(sum);
    assertThat(standpipe.start(sum, MANY).await(PATIENCE)).isEqualTo(doubled(MANY));
    assertThat(standpipe.start(sum, 1).await(PATIENCE)).isZero();
    assertThat(standpipe.start(sum, 0).await(PATIENCE)).isZero();
    await().atMost(PATIENCE).untilAsserted(() -> assertThat(closed).hasValue(3));
    assertThat(
            engine()
                .query(
                    "select value from standpipe_result where node = 'numbers' and idx = -1 order by finished_at"))
        .containsExactly("" + MANY, "1", "0");
  }

  @Test
  default void firstElementsRunWhileTheStreamIsRead() throws InterruptedException {
    CountDownLatch firstDone = new CountDownLatch(1);
    Pipeline<Integer, Integer> eager =
        Pipeline.define(
            "eager",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expandStream(
                        "numbers",
                        Integer.class,
                        count ->
                            IntStream.range(0, count)
                                .boxed()
                                .peek(n -> awaitAt(MANY - 1, n, firstDone)))
                    .step(
                        "seen",
                        Integer.class,
                        n -> {
                          firstDone.countDown();
                          return n;
                        })
                    .reduce("count", Integer.class, () -> 0, (count, n) -> count + 1));
    assertThat(engine().serve(eager).start(eager, MANY).await(PATIENCE)).isEqualTo(MANY);
  }

  private static void awaitAt(int number, int at, CountDownLatch latch) {
    try {
      if (at == number) {
        latch.await();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  default void anotherProcessContinuesTheStream() throws InterruptedException {
    AtomicBoolean blocked = new AtomicBoolean(true);
    CountDownLatch atBlock = new CountDownLatch(1);
    ConcurrentLinkedQueue<Integer> positions = new ConcurrentLinkedQueue<>();
    ElementSource<Integer, Integer> source =
        (count, position, ctx) -> {
          positions.add(position);
          return IntStream.range(position, count)
              .boxed()
              .peek(
                  n -> {
                    if (n == 1_500 && blocked.get()) {
                      atBlock.countDown();
                      awaitAt(n, n, new CountDownLatch(1));
                    }
                  })
              .iterator();
        };
    Pipeline<Integer, Long> sum =
        sum("resumed", n -> n.expandFrom("numbers", Integer.class, source));
    Standpipe first = engine().start(engine().process(sum).grace(Duration.ofMillis(10)));
    Run<Long> run = first.start(sum, MANY);
    atBlock.await();
    await()
        .atMost(PATIENCE)
        .until(() -> !engine().query("select 1 from standpipe_result where idx = 999").isEmpty());
    blocked.set(false);
    first.close();
    Standpipe second = engine().serve(sum);
    assertThat(second.run(sum, run.id()).await(PATIENCE)).isEqualTo(doubled(MANY));
    assertThat(positions).containsExactly(0, 1_000);
  }

  @Test
  default void aRetriedStreamSkipsTheElementsItHas() throws InterruptedException {
    AtomicInteger failures = new AtomicInteger();
    AtomicInteger bodies = new AtomicInteger();
    Pipeline<Integer, Long> flaky =
        sum(
            "flaky-stream",
            n ->
                n.expandStream(
                        "numbers",
                        Integer.class,
                        count -> {
                          bodies.incrementAndGet();
                          return IntStream.range(0, count)
                              .boxed()
                              .peek(at -> failAt(at, 1_500, failures));
                        })
                    .retry(Retry.fixed(Duration.ZERO).limit(2)));
    Run<Long> run = engine().serve(flaky).start(flaky, MANY);
    assertThat(run.await(PATIENCE)).isEqualTo(doubled(MANY));
    assertThat(bodies).hasValue(3);
  }

  private static void failAt(int at, int number, AtomicInteger failures) {
    if (at == number && failures.incrementAndGet() <= 2) {
      throw new IllegalStateException("not yet");
    }
  }

  @Test
  default void aReviveContinuesAFailedStream() throws InterruptedException {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<Integer, Long> sum =
        sum(
            "revived-stream",
            n ->
                n.expandStream(
                        "numbers",
                        Integer.class,
                        count ->
                            IntStream.range(0, count)
                                .boxed()
                                .peek(at -> failIf(at == 1_500 && broken.get())))
                    .retry(Retry.never()));
    Standpipe standpipe = engine().serve(sum);
    Run<Long> run = standpipe.start(sum, MANY);
    assertThatThrownBy(() -> run.await(PATIENCE)).isInstanceOf(RunFailedException.class);
    assertThat(engine().query("select count(*) from standpipe_result where outcome = 3"))
        .containsExactly("1000");
    broken.set(false);
    standpipe.operator("ann").revive(run.id(), "it is mended");
    assertThat(run.await(PATIENCE)).isEqualTo(doubled(MANY));
  }

  private static void failIf(boolean broken) {
    if (broken) {
      throw new IllegalStateException("broken");
    }
  }

  @Test
  default void aWindowLimitsTheLiveSteps() throws InterruptedException {
    AtomicInteger read = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    ElementSource<Integer, Integer> source =
        (count, position, ctx) ->
            new Iterator<>() {
              private int next = position;

              @Override
              public boolean hasNext() {
                return next < count;
              }

              @Override
              public Integer next() {
                most.accumulateAndGet(read.incrementAndGet() - done.get(), Math::max);
                return next++;
              }
            };
    Pipeline<Integer, Integer> windowed =
        Pipeline.define(
            "windowed",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expandFrom("numbers", Integer.class, source)
                    .window(7)
                    .step("one", Integer.class, n -> n)
                    .step(
                        "two",
                        Integer.class,
                        n -> {
                          done.incrementAndGet();
                          return n;
                        })
                    .reduce("count", Integer.class, () -> 0, (count, n) -> count + 1));
    assertThat(engine().serve(windowed).start(windowed, 100).await(PATIENCE)).isEqualTo(100);
    assertThat(most.get()).isBetween(1, 7);
  }

  @Test
  default void waitingExpandsLeaveRoomForTheirSteps() throws InterruptedException {
    Pipeline<Integer, Long> windowed =
        sum(
            "crowded",
            n ->
                n.expandStream("numbers", Integer.class, count -> IntStream.range(0, count).boxed())
                    .window(1));
    Standpipe standpipe = engine().start(engine().process(windowed).concurrency(1));
    List<Run<Long>> runs = standpipe.startAll(windowed, List.of(5, 5, 5, 5));
    assertThat(EngineFixture.await(runs)).containsOnly(doubled(5));
  }

  @Test
  default void aStreamWithoutEndIsStoppedAtItsLimit() {
    Pipeline<Integer, Long> endless =
        sum(
            "endless-stream",
            n ->
                n.expandStream("numbers", Integer.class, at -> Stream.iterate(at, i -> i + 1))
                    .limit(1_500));
    Run<Long> run = engine().serve(endless).start(endless, 0);
    assertThatThrownBy(() -> run.await(PATIENCE))
        .hasMessageContaining("yielded more than 1,500 elements, and its limit is 1,500");
    assertThat(run.info().haltReason()).contains(HaltReason.FAN_OUT_LIMIT);
    assertThat(run.steps()).noneMatch(step -> step.node().equals("sum"));
  }

  @Test
  default void aNullStreamHaltsTheRun() {
    @SuppressWarnings("NullAway") // as a careless body does
    Pipeline<Integer, Long> none =
        sum("no-stream", n -> n.expandStream("numbers", Integer.class, at -> null));
    Run<Long> run = engine().serve(none).start(none, 0);
    assertThatThrownBy(() -> run.await(PATIENCE))
        .hasMessageContaining("The expand \"numbers\" returned null: return an empty stream");
  }

  @Test
  default void aStreamNeedNotBeCollapsed() throws InterruptedException {
    Pipeline<Integer, Integer> loose =
        Pipeline.define(
            "loose-stream",
            Integer.class,
            Integer.class,
            flow -> {
              flow.input()
                  .expandStream("numbers", Integer.class, n -> List.of(1, 2, 3).stream())
                  .window(1)
                  .step("same", Integer.class, n -> n);
              return flow.input().step("end", Integer.class, n -> n);
            });
    Run<Integer> run = engine().serve(loose).start(loose, 5);
    assertThat(run.await(PATIENCE)).isEqualTo(5);
    assertThat(run.steps()).hasSize(5);
  }
}
