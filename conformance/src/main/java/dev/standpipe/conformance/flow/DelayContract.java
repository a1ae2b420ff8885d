package dev.standpipe.conformance.flow;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.engine.RetryContract;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepState;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Steps that wait for a time to come. */
public interface DelayContract extends EnginePart {
  /** Long enough to be told from no wait at all. */
  Duration WAIT = Duration.ofMillis(600);

  private static Duration gap(List<AttemptInfo> attempts, String earlier, String later) {
    return Duration.between(finished(attempts, earlier), finished(attempts, later));
  }

  private static Instant finished(List<AttemptInfo> attempts, String node) {
    return attempts.stream()
        .filter(a -> a.node().equals(node) && a.outcome() == AttemptOutcome.SUCCEEDED)
        .map(AttemptInfo::finishedAt)
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  @Test
  default void aDelayPassesItsValueOnWhenDue() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "delayed-value",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("before", String.class, text -> text + " waited")
                    .delay("cool-off", WAIT)
                    .step("after", String.class, text -> text + " enough"));
    Run<String> run = engine().serve(pipeline).start(pipeline, "has");
    assertThat(run.await(PATIENCE)).isEqualTo("has waited enough");
    assertThat(gap(run.attempts(), "before", "cool-off")).isGreaterThanOrEqualTo(WAIT);
    assertThat(run.attempts())
        .filteredOn(attempt -> attempt.node().equals("cool-off"))
        .extracting(AttemptInfo::attempt, AttemptInfo::outcome)
        .containsExactly(tuple(1, AttemptOutcome.SNOOZED), tuple(1, AttemptOutcome.SUCCEEDED));
    assertThat(pipeline.toMermaid()).contains(">\"cool-off\"]");
  }

  @Test
  default void aDelayHoldsNoThreadAndOutlivesItsProcess() throws InterruptedException {
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "long-delays",
            String.class,
            String.class,
            flow -> flow.input().delay("a-while", Duration.ofHours(1)));
    Standpipe first = engine().start(engine().process(pipeline).concurrency(1));
    List<Run<String>> runs =
        first.startAll(pipeline, IntStream.range(0, 20).mapToObj(Integer::toString).toList());
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                engine()
                    .query("select count(*) from standpipe_task where state = 2 and owner is null")
                    .equals(List.of("20")));
    assertThat(runs.get(0).steps())
        .extracting(StepInfo::node, StepInfo::state)
        .containsExactly(tuple("a-while", StepState.SCHEDULED));
    first.close();
    engine().hasten("task");
    engine().serve(pipeline);
    Standpipe client = engine().client();
    for (int i = 0; i < runs.size(); i++) {
      assertThat(client.run(pipeline, runs.get(i).id()).await(PATIENCE)).isEqualTo("" + i);
    }
  }

  @Test
  default void aDelayUntilAsksItsValueForTheTime() throws InterruptedException {
    Pipeline<Instant, Instant> pipeline =
        Pipeline.define(
            "until",
            Instant.class,
            Instant.class,
            flow -> flow.input().delayUntil("due", instant -> instant));
    Standpipe standpipe = engine().serve(pipeline);
    Run<Instant> past = standpipe.start(pipeline, Instant.EPOCH);
    assertThat(past.await(PATIENCE)).isEqualTo(Instant.EPOCH);
    assertThat(past.attempts())
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.SUCCEEDED);
    Instant due = past.info().finishedAt().orElseThrow().plusSeconds(1);
    Run<Instant> soon = standpipe.start(pipeline, due);
    assertThat(soon.await(PATIENCE)).isEqualTo(due);
    assertThat(soon.info().finishedAt().orElseThrow()).isAfterOrEqualTo(due);
    Run<Instant> never = standpipe.start(pipeline, Instant.parse("9999-01-01T00:00:00Z"));
    await().atMost(PATIENCE).until(() -> never.steps().get(0).state() == StepState.SCHEDULED);
  }

  @Test
  default void aThrowingDelayFunctionFailsItsStep() throws InterruptedException {
    AtomicInteger asked = new AtomicInteger();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "untold",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .delayUntil(
                        "due",
                        text -> {
                          if (asked.incrementAndGet() == 1) {
                            throw new IOException("no calendar");
                          }
                          return Instant.EPOCH;
                        })
                    .retry(RetryContract.QUICK));
    Run<String> run = engine().serve(pipeline).start(pipeline, "x");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
    assertThat(run.attempts())
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.FAILED, AttemptOutcome.SUCCEEDED);
  }

  @Test
  default void aDelayedStepRetriesWithoutItsDelay() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    Pipeline<String, String> pipeline =
        Pipeline.define(
            "delayed-step",
            String.class,
            String.class,
            flow ->
                flow.input()
                    .step("before", String.class, text -> text)
                    .step(
                        "late",
                        String.class,
                        (text, ctx) -> {
                          if (tries.incrementAndGet() == 1) {
                            throw new IOException("again");
                          }
                          return text + ctx.attempt();
                        })
                    .delay(WAIT)
                    .retry(RetryContract.QUICK));
    Run<String> run = engine().serve(pipeline).start(pipeline, "attempt ");
    assertThat(run.await(PATIENCE)).isEqualTo("attempt 2");
    assertThat(tries).hasValue(2);
    assertThat(gap(run.attempts(), "before", "late")).isGreaterThanOrEqualTo(WAIT);
    assertThat(run.attempts())
        .filteredOn(attempt -> attempt.node().equals("late"))
        .extracting(AttemptInfo::outcome)
        .containsExactly(AttemptOutcome.SNOOZED, AttemptOutcome.FAILED, AttemptOutcome.SUCCEEDED);
  }

  @Test
  default void eachElementHasItsOwnDelay() throws InterruptedException {
    Pipeline<Integer, Integer> pipeline =
        Pipeline.define(
            "delayed-elements",
            Integer.class,
            Integer.class,
            flow ->
                flow.input()
                    .expand("items", Integer.class, n -> IntStream.range(0, n).boxed().toList())
                    .delay("pause", Duration.ofMillis(200))
                    .step("use", Integer.class, n -> n + 1)
                    .collapse("sum", Integer.class, all -> all.stream().mapToInt(n -> n).sum()));
    Run<Integer> run = engine().serve(pipeline).start(pipeline, 4);
    assertThat(run.await(PATIENCE)).isEqualTo(10);
    assertThat(run.attempts())
        .filteredOn(attempt -> attempt.outcome() == AttemptOutcome.SNOOZED)
        .extracting(AttemptInfo::index)
        .containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  /** A step that waits for an hour beside one that fails, until it is mended. */
  private static Pipeline<String, String> patient(AtomicBoolean mended) {
    return Pipeline.define(
        "patient",
        String.class,
        String.class,
        flow -> {
          Node<String> waits = flow.input().delay("waits", Duration.ofHours(1));
          Node<String> fails =
              flow.input()
                  .step(
                      "fails",
                      String.class,
                      text -> {
                        if (!mended.get()) {
                          throw new IOException("broken");
                        }
                        return text;
                      })
                  .retry(Retry.never());
          return Node.join(waits, fails).step("both", String.class, (a, b, ctx) -> a + b);
        });
  }

  private List<String> due() {
    return engine().query("select due_at from standpipe_task where due_at is not null");
  }

  @Test
  default void aRevivedRunKeepsItsDelay() throws InterruptedException {
    AtomicBoolean mended = new AtomicBoolean();
    Pipeline<String, String> pipeline = patient(mended);
    Standpipe client = engine().client();
    Run<String> run = client.start(pipeline, "x");
    engine()
        .execute(
            "update standpipe_task set lane = (select l.id from standpipe_lane l where l.parks_for = lane) where node = 'fails'");
    Standpipe standpipe = engine().serve(pipeline);
    await().atMost(PATIENCE).until(() -> !due().isEmpty());
    List<String> due = due();
    engine()
        .execute(
            "update standpipe_task set lane = (select l.parks_for from standpipe_lane l where l.id = lane) where node = 'fails'");
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.HALTED);
    mended.set(true);
    standpipe.operator("eve").revive(run.id(), "mended");
    assertThat(due()).isEqualTo(due);
    await()
        .atMost(PATIENCE)
        .until(() -> run.steps().stream().anyMatch(s -> s.state() == StepState.SUCCEEDED));
    assertThat(due()).isEqualTo(due);
    engine().hasten("task");
    assertThat(run.await(PATIENCE)).isEqualTo("xx");
    assertThat(engine().query("select * from standpipe_put_off")).isEmpty();
  }

  @Test
  default void aDelayedStartKeepsItsTimeThroughARevive() throws InterruptedException {
    Pipeline<String, String> pipeline = EngineFixture.single("later", (text, ctx) -> text);
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x", RunOptions.none().delay(Duration.ofDays(1)));
    List<String> due = due();
    for (int i = 0; i < 2; i++) {
      standpipe.operator("eve").cancel(run.id(), "not at all");
      standpipe.operator("eve").revive(run.id(), "but not before its time");
      assertThat(due()).hasSize(1).isEqualTo(due);
    }
    engine().hasten("task");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
  }

  @Test
  default void aReviveRetriesWaitingStepsAtOnce() throws InterruptedException {
    AtomicBoolean mended = new AtomicBoolean();
    Pipeline<String, String> pipeline =
        EngineFixture.single(
            "again",
            (text, ctx) -> {
              if (!mended.get()) {
                throw new IOException("broken");
              }
              return text;
            },
            step -> step.retry(Retry.fixed(Duration.ofMinutes(5))));
    Standpipe standpipe = engine().serve(pipeline);
    Run<String> run = standpipe.start(pipeline, "x");
    await().atMost(PATIENCE).until(() -> !due().isEmpty());
    standpipe.operator("eve").cancel(run.id(), "mend it first");
    mended.set(true);
    standpipe.operator("eve").revive(run.id(), "mended");
    assertThat(run.await(PATIENCE)).isEqualTo("x");
  }
}
