package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.HaltReason;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Steps that processes have died with before. */
public interface SuspectContract extends EnginePart {
  /** Makes suspects of the first tasks of these runs, each to be by itself. */
  private void suspect(int crashes, List<Run<String>> runs) {
    runs.forEach(
        run ->
            engine()
                .execute(
                    "update standpipe_task set state = 3, due_at = null, crashes = %d, max_suspects = 1 where run_id = '%s'"
                        .formatted(crashes, run.id())));
  }

  /**
   * A process died twice with 300 steps in hand, through no fault of theirs: the others run them at
   * once, as they would run any.
   */
  @Test
  default void innocentSuspectsRunNearlyAtFullSpeed() throws InterruptedException {
    int count = 300;
    Duration body = Duration.ofMillis(300);
    Pipeline<String, String> pipeline =
        single(
            "cleared",
            (text, ctx) -> {
              EngineFixture.pause(body);
              return text;
            });
    Standpipe client = engine().client();
    List<Run<String>> suspected = new ArrayList<>();
    for (int i = 0; i < count; i++) { // each with a row of its own, as after a death
      suspected.add(client.start(pipeline, "suspect"));
    }
    engine().execute("update standpipe_task set state = 3, crashes = 2");
    for (int i = 0; i < 3; i++) {
      engine().start(engine().process(pipeline).concurrency(count / 2));
    }
    long began = System.nanoTime();
    EngineFixture.await(suspected);
    Duration suspicious = Duration.ofNanos(System.nanoTime() - began);
    began = System.nanoTime();
    EngineFixture.await(client.startAll(pipeline, Collections.nCopies(count, "innocent")));
    Duration plain = Duration.ofNanos(System.nanoTime() - began);
    System.out.printf("%d suspects took %s, others %s%n", count, suspicious, plain);
    Duration stall = Duration.ofSeconds(3);
    assertThat(suspicious)
        .as("one at a time it would be %s", body.multipliedBy(count / 3))
        .isLessThan(plain.multipliedBy(5).plus(stall));
  }

  /** Does to whoever holds a step of this run what its supervisor does when it has died. */
  private void reapHolder(UUID run) {
    String holder = "select owner from standpipe_task where run_id = '%s' and state = 1";
    try (StoreFixture db = StoreFixture.on(engine().source())) {
      engine()
          .query(holder.formatted(run))
          .forEach(process -> db.store().processes().reapNow(UUID.fromString(process)));
    }
  }

  /**
   * One of 300 suspects is the death of every process that begins it, as its supervisor sees at
   * once. It is found, nobody else is blamed, and the others do not wait for that.
   */
  @Test
  default void processesFindThePoisonAmongManySuspects() throws InterruptedException {
    int count = 300;
    CountDownLatch found = new CountDownLatch(1);
    AtomicInteger deaths = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "sifted",
            (text, ctx) -> {
              if (text.equals("poison")) {
                deaths.incrementAndGet();
                reapHolder(ctx.runId());
                found.await(); // what is dead does not go on
              } else {
                EngineFixture.pause(Duration.ofMillis(300));
              }
              return text;
            });
    Standpipe client = engine().client();
    List<Run<String>> suspected = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      suspected.add(client.start(pipeline, i == count / 2 ? "poison" : "innocent"));
    }
    Run<String> poison = suspected.remove(count / 2);
    engine().execute("update standpipe_task set state = 3, crashes = 2");
    for (int i = 0; i < 3; i++) {
      engine()
          .start(
              engine()
                  .process(pipeline)
                  .concurrency(500)
                  .crashLimit(3)
                  .lease(EngineFixture.SHORT_LEASE));
    }
    assertThat(EngineFixture.await(suspected)).containsOnly("innocent");
    await().atMost(PATIENCE).until(() -> poison.status().isTerminal());
    found.countDown();
    assertThat(poison.info().haltReason()).contains(HaltReason.QUARANTINED);
    assertThat(client.quarantine().list(10))
        .extracting(step -> step.step().run())
        .containsExactly(poison.id());
    assertThat(deaths).as("300, 150, 75, 37, 18, 9, 4, 2 and 1").hasValueBetween(1, 9);
  }

  @Test
  default void aProcessRunsLoneSuspectsOneAtATime() throws InterruptedException {
    AtomicInteger suspects = new AtomicInteger();
    AtomicInteger mostAtOnce = new AtomicInteger();
    CountDownLatch beside = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "suspected",
            (text, ctx) -> {
              if (text.equals("suspect")) {
                mostAtOnce.accumulateAndGet(suspects.incrementAndGet(), Math::max);
                assertThat(beside.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
                EngineFixture.pause(Duration.ofMillis(30));
                suspects.decrementAndGet();
              } else if (suspects.get() > 0) {
                beside.countDown();
              }
              return text;
            });
    Standpipe client = engine().client();
    List<Run<String>> suspected = client.startAll(pipeline, Collections.nCopies(6, "suspect"));
    suspect(3, suspected);
    Heard heard = new Heard();
    engine().start(engine().process(pipeline).concurrency(8).listener(heard));
    while (beside.getCount() > 0) {
      client.start(pipeline, "other").await(PATIENCE);
    }
    EngineFixture.await(suspected);
    assertThat(mostAtOnce).hasValue(1);
    await().atMost(PATIENCE).until(() -> heard.all(Event.SuspectClaimed.class).size() >= 6);
    assertThat(heard.all(Event.SuspectClaimed.class))
        .hasSize(6)
        .allMatch(event -> event.crashes() == 3 && !event.alone());
  }

  @Test
  default void aSuspectsLastAttemptRunsAlone() throws InterruptedException {
    AtomicInteger others = new AtomicInteger();
    AtomicInteger neighbours = new AtomicInteger(-1);
    Pipeline<String, String> pipeline =
        single(
            "alone",
            (text, ctx) -> {
              if (text.equals("suspect")) {
                int before = others.get();
                EngineFixture.pause(Duration.ofMillis(100));
                neighbours.set(Math.max(before, others.get()));
              } else {
                others.incrementAndGet();
                EngineFixture.pause(Duration.ofMillis(20));
                others.decrementAndGet();
              }
              return text;
            });
    Standpipe client = engine().client();
    List<Run<String>> runs = client.startAll(pipeline, Collections.nCopies(200, "other"));
    List<Run<String>> suspected = client.startAll(pipeline, List.of("suspect"));
    suspect(9, suspected);
    Heard heard = new Heard();
    engine().start(engine().process(pipeline).concurrency(4).listener(heard));
    EngineFixture.await(Stream.of(suspected, runs).flatMap(List::stream).toList());
    assertThat(neighbours).as("bodies beside it").hasValue(0);
    assertThat(heard.awaitAny(Event.SuspectClaimed.class))
        .hasSize(1)
        .allMatch(event -> event.crashes() == 9 && event.alone());
  }

  @Test
  default void aSuspectDoesNotWaitForeverToRunAlone() throws InterruptedException {
    CountDownLatch ran = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "patient",
            (text, ctx) -> {
              if (text.equals("suspect")) {
                ran.countDown();
              } else {
                assertThat(ran.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
              }
              return text;
            });
    Standpipe client = engine().client();
    List<Run<String>> runs = client.startAll(pipeline, List.of("other"));
    Standpipe process =
        engine().start(engine().process(pipeline).crashLimit(3).lease(Duration.ofSeconds(2)));
    assertThat(process.run(runs.get(0).id()).status()).isEqualTo(RunStatus.RUNNING);
    RunOptions later = RunOptions.none().delay(Duration.ofHours(1)); // or it would be claimed first
    List<Run<String>> suspected = List.of(client.start(pipeline, "suspect", later));
    suspect(2, suspected);
    EngineFixture.await(Stream.of(suspected, runs).flatMap(List::stream).toList());
  }

  @Test
  default void aStepThatKeepsKillingItsProcessHaltsItsRun() {
    Pipeline<String, String> pipeline = single("poisoned", (text, ctx) -> text);
    Run<String> run = engine().client().start(pipeline, "");
    engine()
        .execute(
            "update standpipe_task set state = 1, owner = '%s', token = 1, crashes = 9"
                .formatted(engine().dead()));
    Heard heard = new Heard();
    engine().start(engine().process(pipeline).listener(heard));
    assertThatExceptionOfType(RunFailedException.class)
        .isThrownBy(() -> run.await(PATIENCE))
        .withMessageContaining("quarantined")
        .withMessageContaining("work");
    assertThat(run.info().haltReason()).contains(HaltReason.QUARANTINED);
    assertThat(heard.awaitAny(Event.StepQuarantined.class))
        .containsExactly(new Event.StepQuarantined(new Event.Step(run.id(), "work", 0, 1, 1), 10));
  }

  @Test
  default void aCrashLimitThatWouldBlameNeighboursIsRefused() {
    for (int bad : new int[] {-1, 0, 2, 1001}) {
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> Standpipe.on(engine().source()).crashLimit(bad))
          .withMessageContaining("3 to 1000");
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> single("limited", (text, ctx) -> text, step -> step.crashLimit(bad)))
          .withMessageContaining("3 to 1000");
    }
  }

  @Test
  default void aProcessStoresTheCrashLimitsOfItsSteps() {
    Pipeline<String, String> pipeline =
        single("own", (text, ctx) -> text, step -> step.crashLimit(5));
    engine().start(engine().process(pipeline).crashLimit(7));
    assertThat(
            engine()
                .query(
                    "select p.crash_limit, l.node, l.max_crashes from standpipe_process p join standpipe_crash_limit l on l.process_id = p.id"))
        .containsExactly("7|work|5");
  }
}
