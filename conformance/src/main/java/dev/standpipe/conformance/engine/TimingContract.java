package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** When steps run, and which first. */
public interface TimingContract extends EnginePart {
  @Test
  default void aDelayedRunStartsLaterByTheDatabasesClock() throws InterruptedException {
    Pipeline<String, String> pipeline = single("delayed", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> never =
        standpipe.start(pipeline, "never", RunOptions.none().delay(Duration.ofDays(1)));
    Run<String> later =
        standpipe.start(pipeline, "later", RunOptions.none().delay(Duration.ofMillis(700)));
    Run<String> now = standpipe.start(pipeline, "now");
    assertThat(now.await(PATIENCE)).isEqualTo("now");
    assertThat(later.await(PATIENCE)).isEqualTo("later");
    assertThat(Duration.between(later.info().createdAt(), later.info().finishedAt().orElseThrow()))
        .isGreaterThanOrEqualTo(Duration.ofMillis(700));
    assertThat(never.steps()).extracting(StepInfo::state).containsExactly(StepState.SCHEDULED);
  }

  @Test
  default void higherPrioritiesRunFirst() throws InterruptedException {
    List<String> order = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "prioritised",
            (text, ctx) -> {
              if (text.equals("plug")) {
                busy.countDown();
                go.await();
              }
              order.add(text);
              return text;
            });
    Standpipe standpipe = engine().start(engine().process(pipeline).concurrency(1));
    standpipe.start(pipeline, "plug");
    busy.await();
    List<String> inputs = List.of("0a", "0b", "5a", "-5a", "9a", "0c", "5b", "-5b", "9b");
    List<Run<String>> runs =
        standpipe.startAll(
            pipeline,
            inputs,
            text ->
                RunOptions.none().priority(Integer.parseInt(text.substring(0, text.length() - 1))));
    // a claim may go on from the place of the last one, but not for longer than a moment
    await().pollDelay(Duration.ofMillis(500)).until(() -> true);
    go.countDown();
    EngineFixture.await(runs);
    assertThat(order)
        .containsExactly("plug", "9a", "9b", "5a", "5b", "0a", "0b", "0c", "-5a", "-5b");
  }

  @Test
  default void noMoreBodiesRunAtOnceThanConfigured() throws InterruptedException {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "limited",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step("a", Integer.class, n -> counted(running, most, n))
                    .step("b", Integer.class, n -> counted(running, most, n)));
    Standpipe standpipe = engine().start(engine().process(pipeline).concurrency(3));
    EngineFixture.await(standpipe.startAll(pipeline, IntStream.range(0, 300).boxed().toList()));
    assertThat(most.get()).isBetween(1, 3);
  }

  private static int counted(AtomicInteger running, AtomicInteger most, int value)
      throws InterruptedException {
    most.accumulateAndGet(running.incrementAndGet(), Math::max);
    EngineFixture.pause(Duration.ofMillis(1));
    running.decrementAndGet();
    return value;
  }

  @Test
  default void freeBodiesWorkBesideSlowOnes() throws InterruptedException {
    CountDownLatch busy = new CountDownLatch(13);
    CountDownLatch done = new CountDownLatch(1);
    Pipeline<Integer, Integer> slow =
        Pipeline.define(
            "slow",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step(
                        "wait",
                        Integer.class,
                        n -> {
                          busy.countDown();
                          done.await();
                          return n;
                        }));
    Pipeline<String, String> quick = single("quick", (text, ctx) -> text);
    Standpipe standpipe = engine().start(engine().process(slow, quick).concurrency(16));
    Standpipe client = engine().client();
    List<Run<Integer>> long13 = client.startAll(slow, IntStream.range(0, 13).boxed().toList());
    busy.await();
    // three bodies are free: what another process starts must not wait for the thirteen
    assertThat(client.start(quick, "soon").await(PATIENCE)).isEqualTo("soon");
    assertThat(standpipe.start(quick, "at once").await(PATIENCE)).isEqualTo("at once");
    done.countDown();
    EngineFixture.await(long13);
  }

  @Test
  default void onePipelinesBacklogDoesNotStarveAnother() throws InterruptedException {
    AtomicInteger others = new AtomicInteger();
    Pipeline<String, String> crowd =
        single(
            "crowd",
            (text, ctx) -> {
              others.incrementAndGet();
              EngineFixture.pause(Duration.ofMillis(20));
              return text;
            });
    Pipeline<String, String> alone = single("alone", (text, ctx) -> text);
    Standpipe standpipe = engine().start(engine().process(crowd, alone).concurrency(4));
    standpipe.startAll(crowd, Collections.nCopies(20_000, ""));
    await().atMost(PATIENCE).until(() -> others.get() > 0);
    assertThat(engine().client().start(alone, "through").await(PATIENCE)).isEqualTo("through");
    assertThat(others.get()).isLessThan(20_000);
  }
}
