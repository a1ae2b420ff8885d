package dev.standpipe.conformance.operate;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.StandpipeBuilder;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownScheduleException;
import dev.standpipe.schedule.Firing;
import dev.standpipe.schedule.Firing.FiringOutcome;
import dev.standpipe.schedule.Missed;
import dev.standpipe.schedule.Overlap;
import dev.standpipe.schedule.Policies;
import dev.standpipe.schedule.Schedule;
import dev.standpipe.schedule.ScheduleInfo;
import dev.standpipe.schedule.Schedules;
import dev.standpipe.schedule.Timing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Schedules: each instant is fired once, whoever fires it and whatever comes between. */
public interface ScheduleContract extends EnginePart {
  /** Never by itself within a test. */
  Timing RARELY = Timing.every(Duration.ofDays(300));

  /** The first instant is an hour ago, and there have been so many since. */
  private void late(String name, int seconds) {
    String time =
        engine().isSqlite()
            ? "cast(unixepoch('subsec') * 1000000 as integer) / %d * %d - %d"
            : "to_timestamp(floor(extract(epoch from clock_timestamp()) / %d) * %d) - interval '%d seconds'";
    String before =
        engine().isSqlite()
            ? time.formatted(3_600_000_000L, 3_600_000_000L, seconds * 1_000_000L)
            : time.formatted(3600, 3600, seconds);
    engine()
        .execute(
            "update standpipe_schedule set token = token + 1, next_at = %s, wake_at = %s where name = '%s'"
                .formatted(before, before, name));
  }

  private static Schedules schedules(Standpipe standpipe) {
    return standpipe.operator("ana").schedules();
  }

  private static List<Firing> started(Standpipe standpipe, String name) {
    return schedules(standpipe).history(name, 1000).stream()
        .filter(firing -> firing.outcome() == FiringOutcome.STARTED)
        .toList();
  }

  private static void awaitStarted(Standpipe standpipe, String name, int count) {
    await().atMost(PATIENCE).until(() -> started(standpipe, name).size() >= count);
  }

  @Test
  default void aScheduleFiresByItself() {
    Queue<String> inputs = new ConcurrentLinkedQueue<>();
    Pipeline<String, String> pipeline =
        single(
            "tick",
            (text, ctx) -> {
              inputs.add(text);
              return text;
            });
    Schedule<String> each =
        Schedule.of("each", pipeline, Timing.every(Duration.ofSeconds(1))).input(Instant::toString);
    Standpipe standpipe = engine().start(engine().process().schedule(each));
    await().atMost(PATIENCE).until(() -> inputs.size() >= 2);
    List<Firing> fired = started(standpipe, "each");
    assertThat(fired).hasSizeGreaterThanOrEqualTo(2);
    assertThat(inputs).contains(fired.get(fired.size() - 1).at().toString());
    assertThat(standpipe.run(fired.get(0).run().orElseThrow()).info().labels())
        .containsEntry("schedule", "each")
        .containsEntry("fire_at", fired.get(0).at().toString());
  }

  @Test
  default void severalProcessesFireEachInstantOnce() {
    Pipeline<String, String> pipeline = single("shared", (text, ctx) -> text);
    Schedule<String> hourly =
        Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(1)))
            .input(Instant::toString)
            .missed(Missed.all(50));
    Standpipe first = engine().start(engine().process().schedule(hourly));
    for (int i = 0; i < 3; i++) {
      engine().start(engine().process().schedule(hourly));
    }
    late("hourly", 3600 * 99);
    awaitStarted(first, "hourly", 50);
    late("hourly", 3600 * 99); // as if nobody had fired them
    await().during(Duration.ofMillis(600)).atMost(PATIENCE).until(() -> true);
    assertThat(started(first, "hourly")).hasSize(50).doesNotHaveDuplicates();
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("50");
  }

  @Test
  default void onlyTheLatestMissedInstantFires() {
    Pipeline<String, String> pipeline = single("late", (text, ctx) -> text);
    Schedule<String> hourly =
        Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(1))).input(Instant::toString);
    Standpipe standpipe = engine().start(engine().process().schedule(hourly));
    late("hourly", 3600 * 24 * 365);
    awaitStarted(standpipe, "hourly", 1);
    Firing only = started(standpipe, "hourly").get(0);
    ScheduleInfo info = schedules(standpipe).find("hourly").orElseThrow();
    assertThat(Duration.between(only.at(), info.next().orElseThrow()))
        .isEqualTo(Duration.ofHours(1));
    assertThat(info.upcoming(5)).hasSize(5).startsWith(info.next().orElseThrow());
    assertThat(started(standpipe, "hourly")).hasSize(1);
  }

  @Test
  default void missedInstantsCanBeSkipped() {
    Pipeline<String, String> pipeline = single("skip", (text, ctx) -> text);
    Schedule<String> daily =
        Schedule.of("daily", pipeline, RARELY).input(Instant::toString).missed(Missed.skip());
    Standpipe standpipe = engine().start(engine().process().schedule(daily));
    Instant next = schedules(standpipe).find("daily").orElseThrow().next().orElseThrow();
    late("daily", 3600 * 24 * 900);
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                schedules(standpipe).find("daily").orElseThrow().next().orElseThrow().equals(next));
    assertThat(schedules(standpipe).history("daily", 10)).isEmpty();
  }

  @Test
  default void anOverlappingInstantIsSkipped() {
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "slow",
            (text, ctx) -> {
              go.await();
              return text;
            });
    Schedule<String> each =
        Schedule.of("each", pipeline, Timing.every(Duration.ofSeconds(1)))
            .input(Instant::toString)
            .overlap(Overlap.SKIP);
    Standpipe standpipe = engine().start(engine().process().schedule(each));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                schedules(standpipe).history("each", 10).stream()
                    .anyMatch(firing -> firing.outcome() == FiringOutcome.SKIPPED));
    assertThat(started(standpipe, "each")).hasSize(1);
    go.countDown();
    awaitStarted(standpipe, "each", 2);
  }

  @Test
  default void anOverlappingInstantWaitsItsTurn() {
    CountDownLatch go = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "slow",
            (text, ctx) -> {
              go.await();
              return text;
            });
    Schedule<String> hourly =
        Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(1)))
            .input(Instant::toString)
            .missed(Missed.all(3))
            .overlap(Overlap.QUEUE);
    Standpipe standpipe = engine().start(engine().process().schedule(hourly));
    late("hourly", 3600 * 10);
    awaitStarted(standpipe, "hourly", 1);
    await()
        .during(Duration.ofMillis(500))
        .atMost(PATIENCE)
        .until(() -> started(standpipe, "hourly").size() == 1);
    go.countDown();
    awaitStarted(standpipe, "hourly", 3);
    List<Instant> instants = started(standpipe, "hourly").stream().map(Firing::at).toList();
    assertThat(Duration.between(instants.get(2), instants.get(0))).isEqualTo(Duration.ofHours(2));
  }

  @Test
  default void anOverlappingRunIsCanceled() {
    Pipeline<String, String> pipeline =
        single(
            "stuck",
            (text, ctx) -> {
              new CountDownLatch(1).await();
              return text;
            });
    Schedule<String> hourly =
        Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(1)))
            .input(Instant::toString)
            .overlap(Overlap.CANCEL);
    Standpipe standpipe = engine().start(engine().process().schedule(hourly));
    Instant asked = schedules(standpipe).fire("hourly");
    awaitStarted(standpipe, "hourly", 1);
    late("hourly", 0);
    awaitStarted(standpipe, "hourly", 2);
    Firing first =
        started(standpipe, "hourly").stream()
            .filter(firing -> firing.at().equals(asked))
            .findFirst()
            .orElseThrow();
    await()
        .atMost(PATIENCE)
        .until(() -> standpipe.run(first.run().orElseThrow()).status() == RunStatus.CANCELED);
  }

  private static void schedulesFire(Standpipe standpipe, String name) {
    schedules(standpipe).fire(name);
  }

  /** Nobody fires it meanwhile: a process that does not declare it has asked. */
  @Test
  default void whatWasAskedForIsFiredThoughTheScheduleIsPausedAndChangedFirst() {
    Pipeline<String, String> pipeline = single("asked", (text, ctx) -> text);
    Schedule<String> hourly =
        Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(1))).input("x");
    Standpipe first = engine().start(engine().process().schedule(hourly));
    first.close();
    Standpipe other = engine().start(engine().process());
    Instant asked = schedules(other).fire("hourly");
    assertThat(schedules(other).pause("hourly", "for a moment")).isTrue();
    engine()
        .start(
            engine()
                .process()
                .schedule(
                    Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(2))).input("x")));
    await()
        .atMost(PATIENCE)
        .until(
            () -> started(other, "hourly").stream().anyMatch(firing -> firing.at().equals(asked)));
  }

  @Test
  default void aPausedScheduleFiresOnlyWhatIsAskedFor() {
    Pipeline<String, String> pipeline = single("paused", (text, ctx) -> text);
    Schedule<String> each =
        Schedule.of("each", pipeline, Timing.every(Duration.ofSeconds(1))).input(Instant::toString);
    Standpipe standpipe = engine().start(engine().process().schedule(each));
    assertThat(schedules(standpipe).pause("each", "too much")).isTrue();
    assertThat(schedules(standpipe).pause("each", "again")).isFalse();
    int before = schedules(standpipe).history("each", 1000).size();
    ScheduleInfo.SchedulePause paused =
        schedules(standpipe).find("each").orElseThrow().paused().orElseThrow();
    assertThat(paused.by()).isEqualTo("ana");
    assertThat(paused.reason()).isEqualTo("too much");
    Instant asked = schedules(standpipe).fire("each");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                started(standpipe, "each").stream().anyMatch(firing -> firing.at().equals(asked)));
    await()
        .during(Duration.ofMillis(1500))
        .atMost(PATIENCE)
        .until(() -> schedules(standpipe).history("each", 1000).size() == before + 1);
    assertThat(schedules(standpipe).resume("each")).isTrue();
    assertThat(schedules(standpipe).resume("each")).isFalse();
    awaitStarted(standpipe, "each", before + 2);
  }

  @Test
  default void aBackfillFiresWhatWasNotFired() {
    Pipeline<String, String> pipeline = single("fill", (text, ctx) -> text);
    Schedule<String> hourly =
        Schedule.of("hourly", pipeline, Timing.every(Duration.ofHours(1))).input(Instant::toString);
    Standpipe standpipe = engine().start(engine().process().schedule(hourly));
    Instant from = Instant.parse("2020-01-01T00:00:00Z");
    assertThat(schedules(standpipe).backfill("hourly", from, from.plus(Duration.ofHours(150))))
        .isEqualTo(150);
    assertThat(schedules(standpipe).backfill("hourly", from, from.plus(Duration.ofHours(151))))
        .isEqualTo(1);
    awaitStarted(standpipe, "hourly", 151);
    assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("151");
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(
            () ->
                schedules(standpipe)
                    .backfill("hourly", from, Instant.parse("2900-01-01T00:00:00Z")))
        .withMessageContaining("future");
  }

  @Test
  default void aRedeployKeepsTheNextInstant() {
    Pipeline<String, String> pipeline = single("again", (text, ctx) -> text);
    Schedule<String> rarely = Schedule.of("rarely", pipeline, RARELY).input("same");
    Standpipe first = engine().start(engine().process().schedule(rarely));
    Instant next = schedules(first).find("rarely").orElseThrow().next().orElseThrow();
    Schedule<String> changed = rarely.overlap(Overlap.SKIP);
    Standpipe second = engine().start(engine().process().schedule(changed));
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                schedules(second).find("rarely").orElseThrow().policies().overlap()
                    == Overlap.SKIP);
    assertThat(schedules(second).find("rarely").orElseThrow().next()).contains(next);
    Schedule<String> sooner =
        Schedule.of("rarely", pipeline, Timing.every(Duration.ofDays(1))).input("same");
    Standpipe third = engine().start(engine().process().schedule(sooner));
    await()
        .atMost(PATIENCE)
        .until(
            () -> schedules(third).find("rarely").orElseThrow().timing().equals(sooner.timing()));
    assertThat(schedules(third).find("rarely").orElseThrow().next().orElseThrow())
        .isBeforeOrEqualTo(next);
  }

  @Test
  default void anInstantWithoutAnInputFailsAndCanBeFilledIn() {
    AtomicBoolean mended = new AtomicBoolean();
    Pipeline<String, String> pipeline = single("broken", (text, ctx) -> text);
    Schedule<String> broken =
        Schedule.of("broken", pipeline, Timing.every(Duration.ofHours(1)))
            .input(
                at -> {
                  if (!mended.get()) {
                    throw new AssertionError("no input today");
                  }
                  return "mended";
                });
    Schedule<String> sound = Schedule.of("sound", pipeline, RARELY).input("yes");
    Standpipe standpipe = engine().start(engine().process().schedule(broken, sound));
    late("broken", 0);
    schedulesFire(standpipe, "sound");
    awaitStarted(standpipe, "sound", 1);
    await().atMost(PATIENCE).until(() -> !schedules(standpipe).history("broken", 1).isEmpty());
    Firing failed = schedules(standpipe).history("broken", 1).get(0);
    assertThat(failed.outcome()).isEqualTo(FiringOutcome.FAILED);
    assertThat(failed.error().orElseThrow()).contains("AssertionError").contains("no input today");
    mended.set(true);
    Instant after = failed.at().plusMillis(1);
    await()
        .atMost(PATIENCE)
        .until(() -> schedules(standpipe).backfill("broken", failed.at(), after) == 1);
    awaitStarted(standpipe, "broken", 1);
    assertThat(started(standpipe, "broken").get(0).at()).isEqualTo(failed.at());
    assertThat(schedules(standpipe).backfill("broken", failed.at(), after)).isZero();
  }

  @Test
  default void anOperatorsScheduleStartsRunsByName() {
    Pipeline<String, String> pipeline = single("byname", (text, ctx) -> text + "!");
    Standpipe standpipe = engine().serve(pipeline);
    Schedules schedules = schedules(standpipe);
    schedules.create("mine", "byname", RARELY, "hello", Policies.USUAL);
    schedules.create("mine", "byname", RARELY, "goodbye", Policies.USUAL);
    schedules.fire("mine");
    awaitStarted(standpipe, "mine", 1);
    var run = standpipe.run(pipeline, started(standpipe, "mine").get(0).run().orElseThrow());
    await().atMost(PATIENCE).until(() -> run.status() == RunStatus.SUCCEEDED);
    assertThat(schedules.list()).extracting(ScheduleInfo::name).containsExactly("mine");
    schedules.remove("mine");
    assertThat(schedules.list()).isEmpty();
    assertThatExceptionOfType(UnknownScheduleException.class)
        .isThrownBy(() -> schedules.fire("mine"));
    assertThatExceptionOfType(UnknownScheduleException.class)
        .isThrownBy(() -> schedules.remove("mine"));
  }

  @Test
  default void aDeclaredScheduleIsThePrograms() {
    Pipeline<String, String> pipeline = single("declared", (text, ctx) -> text);
    Standpipe standpipe =
        engine()
            .start(engine().process().schedule(Schedule.of("ours", pipeline, RARELY).input("x")));
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(
            () -> schedules(standpipe).create("ours", "declared", RARELY, "y", Policies.USUAL))
        .withMessageContaining("Programs declare");
  }

  @Test
  default void aDuplicateScheduleIsRefused() {
    Pipeline<String, String> pipeline = single("twice", (text, ctx) -> text);
    StandpipeBuilder builder =
        engine().process().schedule(Schedule.of("same", pipeline, RARELY).input("x"));
    assertThatExceptionOfType(StandpipeException.class)
        .isThrownBy(() -> builder.schedule(Schedule.of("same", pipeline, RARELY).input("y")))
        .withMessageContaining("\"same\"");
  }
}
