package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.operate.BulkResult;
import dev.standpipe.operate.Operator;
import dev.standpipe.operate.RunFilter;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Runs picked by a filter, and what is done to all of them. */
public interface BulkContract extends EnginePart {
  private static Pipeline<String, String> named(String name) {
    return single(name, (text, ctx) -> text);
  }

  private static RunOptions in(String city) {
    return RunOptions.none().label("city", city).label("a \"quoted\" one", "'; drop table x --");
  }

  private static void refused(ThrowingCallable call, String message) {
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(call)
        .withMessageContaining(message)
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  default void filtersFindRunsByTheirProperties() {
    Standpipe client = engine().client();
    Pipeline<String, String> one = named("one");
    Pipeline<String, String> other = named("other");
    UUID graz = client.start(one, "x", in("Graz")).id();
    UUID oslo = client.start(one, "x", in("Oslo")).id();
    UUID plain = client.start(other, "x").id();
    Operator eve = client.operator("eve");
    eve.cancel(oslo, "over");
    assertThat(ids(eve, RunFilter.every())).containsExactly(plain, oslo, graz);
    assertThat(ids(eve, RunFilter.where())).containsExactly(plain, oslo, graz);
    assertThat(ids(eve, RunFilter.where().pipeline("one"))).containsExactly(oslo, graz);
    assertThat(ids(eve, RunFilter.where().label("city", "Graz"))).containsExactly(graz);
    assertThat(ids(eve, RunFilter.where().label("city", "Graz").pipeline("other"))).isEmpty();
    assertThat(ids(eve, RunFilter.where().label("a \"quoted\" one", "'; drop table x --")))
        .containsExactly(oslo, graz);
    assertThat(ids(eve, RunFilter.where().label("city", "Graz").label("x", "y"))).isEmpty();
    assertThat(ids(eve, RunFilter.where().status(RunStatus.CANCELED))).containsExactly(oslo);
    assertThat(ids(eve, RunFilter.where().status(RunStatus.RUNNING, RunStatus.WAITING)))
        .containsExactly(plain, graz);
    Instant created = client.run(oslo).info().createdAt();
    assertThat(ids(eve, RunFilter.where().since(created))).containsExactly(plain, oslo);
    assertThat(ids(eve, RunFilter.where().until(created))).containsExactly(graz);
    assertThat(ids(eve, RunFilter.where().since(created).until(created.plusNanos(1000))))
        .containsExactly(oslo);
    assertThat(eve.list(RunFilter.every(), 2)).extracting(RunInfo::id).containsExactly(plain, oslo);
  }

  private static List<UUID> ids(Operator eve, RunFilter filter) {
    return eve.list(filter, 1000).stream().map(RunInfo::id).toList();
  }

  @Test
  default void filtersFindWaitingSkippedAndHiddenRuns() throws InterruptedException {
    Pipeline<String, String> followed =
        Pipeline.define(
            "followed",
            String.class,
            String.class,
            flow -> {
              flow.onComplete(end -> {});
              return flow.input().await("word", String.class);
            });
    Standpipe standpipe = engine().serve(followed);
    Run<String> first = standpipe.start(followed, "x");
    Run<String> second = first.then(followed);
    Operator eve = standpipe.operator("eve");
    assertThat(ids(eve, RunFilter.where().status(RunStatus.WAITING))).containsExactly(second.id());
    assertThat(eve.bulk(RunFilter.where().status(RunStatus.RUNNING)).cancel("over").changed())
        .isEqualTo(1);
    await().atMost(PATIENCE).until(() -> second.status() == RunStatus.SKIPPED);
    assertThat(ids(eve, RunFilter.where().status(RunStatus.SKIPPED))).containsExactly(second.id());
    String hidden = "followed$onComplete";
    await().atMost(PATIENCE).until(() -> ids(eve, RunFilter.where().pipeline(hidden)).size() == 2);
    assertThat(ids(eve, RunFilter.every())).containsExactly(second.id(), first.id());
    assertThat(eve.bulk(RunFilter.where().status(RunStatus.SKIPPED)).rerun("begin").refused())
        .containsOnlyKeys(second.id());
  }

  @Test
  default void aDryRunCountsAndDoesNothing() {
    Standpipe client = engine().client();
    client.startAll(named("one"), List.of("a", "b", "c"));
    client.startAll(named("other"), List.of("a", "b"));
    Operator eve = client.operator("eve");
    RunFilter one = RunFilter.where().pipeline("one");
    assertThat(eve.bulk(one).dryRun().cancel("over").matched()).isEqualTo(3);
    assertThat(eve.bulk(one).dryRun().revive("again").matched()).isZero();
    assertThat(eve.bulk(RunFilter.every()).dryRun().rerun("again").matched()).isEqualTo(5);
    assertThat(eve.bulk(one).dryRun().cancel("over").changed()).isZero();
    assertThat(ids(eve, RunFilter.where().status(RunStatus.RUNNING))).hasSize(5);
    assertThat(engine().query("select count(*) from standpipe_audit")).containsExactly("0");
  }

  @Test
  default void manyRunsAreCanceledAndRevivedInBatches() {
    int count = 250;
    Standpipe client = engine().client();
    client.startAll(named("one"), IntStream.range(0, count).mapToObj(i -> "x" + i).toList());
    UUID other = client.start(named("other"), "x").id();
    Operator eve = client.operator("eve");
    RunFilter one = RunFilter.where().pipeline("one");
    assertThat(eve.bulk(one).cancel("over")).isEqualTo(new BulkResult(count, count, none()));
    assertThat(eve.bulk(one).cancel("over")).isEqualTo(new BulkResult(0, 0, none()));
    assertThat(ids(eve, one.status(RunStatus.CANCELED))).hasSize(count);
    assertThat(eve.bulk(one).revive("go")).isEqualTo(new BulkResult(count, count, none()));
    assertThat(ids(eve, one.status(RunStatus.RUNNING))).hasSize(count);
    assertThat(client.run(other).status()).isEqualTo(RunStatus.RUNNING);
    assertThat(engine().query("select action, count(*) from standpipe_audit group by action"))
        .containsExactlyInAnyOrder("revive|" + count, "cancel|" + count);
  }

  private static Map<UUID, String> none() {
    return Map.of();
  }

  @Test
  default void bulkRevivesFailedRunsAndRerunsEachOnce() throws Exception {
    AtomicBoolean broken = new AtomicBoolean(true);
    Pipeline<String, String> pipeline =
        single(
            "fragile",
            (text, ctx) -> {
              if (broken.get() && text.startsWith("bad")) {
                throw new IOException("jammed");
              }
              return text;
            },
            step -> step.retry(Retry.fixed(Duration.ZERO).limit(0)));
    Standpipe standpipe = engine().serve(pipeline);
    List<Run<String>> runs = standpipe.startAll(pipeline, List.of("bad1", "good", "bad2"));
    await().atMost(PATIENCE).until(() -> runs.stream().allMatch(r -> r.status().isTerminal()));
    broken.set(false);
    Operator eve = standpipe.operator("eve");
    RunFilter fragile = RunFilter.where().pipeline("fragile");
    assertThat(eve.bulk(fragile).revive("mended")).isEqualTo(new BulkResult(2, 2, none()));
    assertThat(EngineFixture.await(runs)).containsExactly("bad1", "good", "bad2");
    assertThat(eve.bulk(fragile.status(RunStatus.SUCCEEDED)).rerun("once more"))
        .isEqualTo(new BulkResult(3, 3, none()));
    assertThat(ids(eve, fragile)).hasSize(6);
    Set<String> originals = runs.stream().map(r -> r.id().toString()).collect(Collectors.toSet());
    assertThat(new HashSet<>(engine().query("select original_run_id from standpipe_rerun")))
        .isEqualTo(originals);
  }

  @Test
  default void emptyAndImpossibleFiltersAreRefused() {
    Standpipe client = engine().client();
    client.start(named("one"), "x");
    Operator eve = client.operator("eve");
    refused(() -> eve.bulk(RunFilter.where()), "lets every run through");
    refused(() -> RunFilter.where().pipeline(" "), "name is not blank");
    refused(() -> RunFilter.where().label("", "x"), "label's name");
    Instant now = Instant.EPOCH;
    refused(() -> RunFilter.where().since(now).until(now), "No run was started since");
    RunFilter done = RunFilter.where().status(RunStatus.SUCCEEDED, RunStatus.RUNNING);
    refused(
        () -> eve.bulk(done).cancel("over"),
        "Runs that are succeeded cannot be canceled: name some of [waiting, running, paused, halting]");
    refused(() -> eve.bulk(done).revive("over"), "running or succeeded cannot be revived");
    refused(() -> eve.bulk(RunFilter.every()).cancel(" "), "why");
    refused(() -> eve.list(RunFilter.every(), 0), "must be of 1 to 1000, was 0");
    refused(() -> eve.list(RunFilter.every(), 1001), "must be of 1 to 1000, was 1001");
    assertThat(eve.bulk(RunFilter.every()).dryRun().cancel("x").matched()).isEqualTo(1);
  }

  /** Whatever text is in a filter, it is data: nothing breaks and nothing else is found. */
  @Test
  default void filtersTreatAnyTextAsData() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random dice = new Random(seed);
    Standpipe client = engine().client();
    client.start(named("one"), "x", in("Graz"));
    Operator eve = client.operator("eve");
    List<String> odd = new ArrayList<>(List.of("'", "\"", "%", "\\", "$.city", "{}", "null", "ü✂"));
    for (int i = 0; i < 40; i++) {
      odd.add(
          dice.ints(1 + dice.nextInt(6), 32, 0x3000)
              .mapToObj(Character::toString)
              .collect(Collectors.joining()));
    }
    for (String text : odd) {
      assertThat(eve.list(RunFilter.where().label("city", text), 10)).as(text).isEmpty();
      assertThat(eve.list(RunFilter.where().label(text + "x", "Graz"), 10)).as(text).isEmpty();
      assertThat(eve.list(RunFilter.where().pipeline(text + "x"), 10)).as(text).isEmpty();
    }
    assertThat(eve.list(RunFilter.where().since(Instant.MIN.plusSeconds(99_999_999_999L)), 10))
        .hasSize(1);
    assertThat(eve.list(RunFilter.where().until(Instant.MAX), 10)).hasSize(1);
  }
}
