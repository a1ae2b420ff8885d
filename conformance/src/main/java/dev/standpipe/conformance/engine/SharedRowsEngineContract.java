package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static dev.standpipe.conformance.fixture.EngineFixture.threeSteps;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.RunEndedException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.operate.Finding;
import dev.standpipe.operate.Operator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Many runs that are started with one call, and what users see of them. */
public interface SharedRowsEngineContract extends EnginePart {
  private static List<Integer> range(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  private static List<Integer> plus(List<Integer> numbers, int more) {
    return numbers.stream().map(n -> n + more).toList();
  }

  private static List<String> texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> "x" + i).toList();
  }

  /** Every fiftieth. */
  private static <T> List<T> fiftieth(List<T> all) {
    return IntStream.range(0, all.size() / 50).mapToObj(i -> all.get(50 * i)).toList();
  }

  private static <T> List<T> without(List<T> all, List<T> some) {
    List<T> rest = new ArrayList<>(all);
    rest.removeAll(some);
    return rest;
  }

  /** One whose steps say that they have begun, and then wait. */
  private static Pipeline<String, String> gated(
      String name, CountDownLatch begun, CountDownLatch end) {
    return single(
        name,
        (text, ctx) -> {
          begun.countDown();
          end.await();
          return text;
        });
  }

  @Test
  default void bulkStartedRunsSucceedWithTheirOwnValues() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("many", Duration.ZERO);
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<Integer>> served = standpipe.startAll(pipeline, range(500));
    assertThat(EngineFixture.await(served)).isEqualTo(plus(range(500), 3));
    List<Run<Integer>> more = engine().client().startAll(pipeline, plus(range(1_200), 1_000));
    assertThat(EngineFixture.await(more)).isEqualTo(plus(range(1_200), 1_003));
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void twoProcessesShareManyRunsAndRunEachStepOnce() throws InterruptedException {
    Map<String, Integer> ran = new ConcurrentHashMap<>();
    Pipeline<String, String> pipeline =
        single(
            "shared",
            (text, ctx) -> {
              ran.merge(text, 1, Integer::sum);
              return text;
            });
    List<Run<String>> runs = engine().client().startAll(pipeline, texts(500));
    engine().serve(pipeline);
    engine().serve(pipeline);
    assertThat(EngineFixture.await(runs)).isEqualTo(texts(500));
    assertThat(ran).hasSize(500).allSatisfy((text, times) -> assertThat(times).isEqualTo(1));
  }

  @Test
  default void onlyFailedStepsOfABulkStartAreRetried() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "sevenths",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .step(
                        "a",
                        Integer.class,
                        (n, ctx) -> {
                          if (n % 7 == 0 && ctx.attempt() == 1) {
                            throw new IOException("the first try of " + n);
                          }
                          return n + 1;
                        })
                    .retry(RetryContract.QUICK)
                    .step("b", Integer.class, n -> n + 1));
    engine().serve(pipeline);
    List<Run<Integer>> runs = engine().client().startAll(pipeline, range(500));
    assertThat(EngineFixture.await(runs)).isEqualTo(plus(range(500), 2));
    assertThat(outcomes(runs.get(490)))
        .containsExactlyInAnyOrder(
            AttemptOutcome.FAILED, AttemptOutcome.SUCCEEDED, AttemptOutcome.SUCCEEDED);
    assertThat(outcomes(runs.get(491))).hasSize(2).containsOnly(AttemptOutcome.SUCCEEDED);
  }

  @Test
  default void bulkStartedRunsKeepTheirContextsApart() throws InterruptedException {
    Pipeline<Integer, String> pipeline =
        Pipeline.define(
            "sharers",
            Integer.class,
            String.class,
            flow ->
                flow.input()
                    .step(
                        "a",
                        Integer.class,
                        (n, ctx) -> {
                          if (n % 3 == 0) {
                            ctx.context().set("n", n);
                          }
                          return n;
                        })
                    .step(
                        "b",
                        String.class,
                        (n, ctx) -> n + " " + ctx.context().get("n", Integer.class)));
    engine().serve(pipeline);
    List<Run<String>> runs = engine().client().startAll(pipeline, range(300));
    List<String> expected =
        range(300).stream()
            .map(n -> n + " " + (n % 3 == 0 ? Optional.of(n) : Optional.empty()))
            .toList();
    assertThat(EngineFixture.await(runs)).isEqualTo(expected);
  }

  private static List<AttemptOutcome> outcomes(Run<?> run) {
    return run.attempts().stream().map(AttemptInfo::outcome).toList();
  }

  @Test
  default void aCancelEndsUnservedRunsAtOnce() throws InterruptedException {
    Set<String> ran = ConcurrentHashMap.newKeySet();
    Pipeline<String, String> pipeline =
        single(
            "unserved",
            (text, ctx) -> {
              ran.add(text);
              return text;
            });
    Standpipe client = engine().client();
    List<Run<String>> runs = client.startAll(pipeline, texts(400));
    List<Run<String>> canceled = fiftieth(runs);
    Operator ann = client.operator("ann");
    for (Run<String> run : canceled) {
      assertThat(ann.cancel(run.id(), "a duplicate")).isEqualTo(RunStatus.CANCELED);
    }
    Standpipe standpipe = engine().serve(pipeline);
    List<String> others = without(texts(400), fiftieth(texts(400)));
    assertThat(EngineFixture.await(without(runs, canceled))).isEqualTo(others);
    assertThat(ran).containsExactlyInAnyOrderElementsOf(others);
    assertThat(canceled).allMatch(run -> run.status() == RunStatus.CANCELED);
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void cancelingSomeServedRunsLeavesTheOthersAlone() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline = threeSteps("served", Duration.ofMillis(1));
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<Integer>> runs = standpipe.startAll(pipeline, range(400));
    List<Run<Integer>> chosen = fiftieth(runs);
    Operator ann = standpipe.operator("ann");
    List<Run<Integer>> tooLate = new ArrayList<>();
    for (Run<Integer> run : chosen) {
      try {
        ann.cancel(run.id(), "a duplicate");
      } catch (RunEndedException e) {
        tooLate.add(run);
      }
    }
    assertThat(EngineFixture.await(without(runs, chosen)))
        .isEqualTo(plus(without(range(400), fiftieth(range(400))), 3));
    await().atMost(PATIENCE).until(() -> chosen.stream().allMatch(r -> r.status().isTerminal()));
    for (Run<Integer> run : chosen) {
      assertThat(run.status())
          .isEqualTo(tooLate.contains(run) ? RunStatus.SUCCEEDED : RunStatus.CANCELED);
    }
    assertThat(standpipe.doctor()).isEmpty();
  }

  @Test
  default void theDoctorCountsUnservedRunsOfABulkStart() {
    Standpipe client = engine().client();
    client.startAll(single("nobody", (text, ctx) -> text), texts(300));
    assertThat(client.doctor())
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.check()).isEqualTo("unserved_work");
              assertThat(found.severity()).isEqualTo(Finding.Severity.WARNING);
              assertThat(found.problem()).startsWith("300 tasks ");
            });
  }

  @Test
  default void theDoctorAcceptsAPartlyClaimedBulkStart() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Pipeline<String, String> pipeline = gated("held", begun, end);
    Standpipe client = engine().client();
    engine().serve(pipeline);
    List<Run<String>> runs = client.startAll(pipeline, texts(300));
    try {
      begun.await();
      assertThat(client.doctor()).isEmpty();
    } finally {
      end.countDown();
    }
    assertThat(EngineFixture.await(runs)).isEqualTo(texts(300));
    assertThat(client.doctor()).isEmpty();
  }

  @Test
  default void anotherProcessFinishesTheTasksOfAClosedProcess() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Pipeline<String, String> pipeline = gated("handed-on", begun, end);
    List<Run<String>> runs = engine().client().startAll(pipeline, texts(300));
    Standpipe first = engine().start(engine().process(pipeline).grace(Duration.ofMillis(100)));
    begun.await();
    first.close();
    end.countDown();
    engine().serve(pipeline);
    assertThat(EngineFixture.await(runs)).isEqualTo(texts(300));
    assertThat(runs).allMatch(run -> outcomes(run).equals(List.of(AttemptOutcome.SUCCEEDED)));
  }
}
