package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.SHORT_LEASE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Which part of the work a process does, and what it does around it. */
public interface RoleContract extends EnginePart {
  /** A dead process's row: nobody renews it. */
  private void plantDeadProcess() {
    engine()
        .execute(
            "insert into standpipe_process (id, name, host, pid, lease_us, lease_expires_at) values ('"
                + UUID.randomUUID()
                + "', 'dead', 'nowhere', 1, 0, "
                + engine().past()
                + ")");
  }

  @Test
  default void maintenanceKeepsStepsMovingWithoutRunningThem() throws InterruptedException {
    Pipeline<String, String> pipeline = single("delayed", (text, ctx) -> text);
    Heard heard = new Heard();
    engine()
        .start(
            engine().process(pipeline).role(Role.MAINTENANCE).lease(SHORT_LEASE).listener(heard));
    Standpipe client = engine().client();
    Run<String> delayed =
        client.start(pipeline, "late", RunOptions.none().delay(Duration.ofMillis(100)));
    plantDeadProcess();
    await().atMost(PATIENCE).until(() -> !heard.all(Event.ProcessReaped.class).isEmpty());
    await()
        .atMost(PATIENCE)
        .until(() -> engine().query("select state from standpipe_task").equals(List.of("0")));
    assertThat(delayed.status()).isEqualTo(RunStatus.RUNNING);
    assertThat(heard.all(Event.LeaseAcquired.class)).isEmpty();

    engine().start(engine().process(pipeline).role(Role.WORKER));
    assertThat(delayed.await(PATIENCE)).isEqualTo("late");
  }

  @Test
  default void aWorkerLeavesMaintenanceToOthers() throws InterruptedException {
    Pipeline<String, String> pipeline = single("worked", (text, ctx) -> text);
    Heard heard = new Heard();
    Standpipe worker =
        engine()
            .start(engine().process(pipeline).role(Role.WORKER).lease(SHORT_LEASE).listener(heard));
    plantDeadProcess();
    Run<String> delayed =
        worker.start(pipeline, "late", RunOptions.none().delay(Duration.ofMillis(10)));
    for (int i = 0; i < 20; i++) {
      assertThat(worker.start(pipeline, "now").await(PATIENCE)).isEqualTo("now");
      EngineFixture.pause(Duration.ofMillis(50)); // several sweeps would fit in here
    }
    assertThat(heard.all(Event.ProcessReaped.class)).isEmpty();
    assertThat(delayed.status()).isEqualTo(RunStatus.RUNNING);

    engine().start(engine().process().role(Role.MAINTENANCE).lease(SHORT_LEASE));
    assertThat(delayed.await(PATIENCE)).isEqualTo("late");
  }

  @Test
  default void hooksRunBeforeAndAfterAllSteps() throws InterruptedException {
    List<String> story = Collections.synchronizedList(new ArrayList<>());
    CountDownLatch running = new CountDownLatch(1);
    Pipeline<String, String> pipeline =
        single(
            "hooked",
            (text, ctx) -> {
              running.countDown();
              EngineFixture.pause(Duration.ofMillis(200));
              story.add(text);
              return text;
            });
    engine().client().start(pipeline, "step");
    Standpipe standpipe =
        engine()
            .start(
                engine()
                    .process(pipeline)
                    .grace(PATIENCE)
                    .onStart(() -> story.add("start 1"))
                    .onStart(() -> story.add("start 2"))
                    .onStop(() -> story.add("stop 1"))
                    .onStop(
                        () -> {
                          throw new IllegalStateException("on purpose");
                        })
                    .onStop(() -> story.add("stop 2")));
    running.await();
    standpipe.close();
    assertThat(story).containsExactly("start 1", "start 2", "step", "stop 2", "stop 1");
  }

  @Test
  default void aThrowingStartHookStopsTheStart() {
    Pipeline<String, String> pipeline = single("unhooked", (text, ctx) -> text);
    List<String> story = new ArrayList<>();
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(
            () ->
                engine()
                    .process(pipeline)
                    .onStart(
                        () -> {
                          throw new IllegalStateException("no cache");
                        })
                    .onStop(() -> story.add("stop"))
                    .start())
        .withMessage("no cache");
    assertThat(story).containsExactly("stop");
    assertThat(engine().query("select * from standpipe_process")).isEmpty();
  }

  @Test
  default void hooksRunOnceWhenJoiningIsRetried() {
    Pipeline<String, String> pipeline = single("rejoined", (text, ctx) -> text);
    List<String> story = Collections.synchronizedList(new ArrayList<>());
    Valve valve = Valve.before(engine().source());
    Standpipe standpipe =
        engine()
            .start(
                Standpipe.on(valve.dataSource())
                    .serve(pipeline)
                    .onStart(
                        () -> {
                          story.add("start");
                          valve.cut();
                          CompletableFuture.delayedExecutor(300, TimeUnit.MILLISECONDS)
                              .execute(valve::open);
                        })
                    .onStop(() -> story.add("stop")));
    assertThat(story).containsExactly("start");
    standpipe.close();
    assertThat(story).containsExactly("start", "stop");
  }
}
