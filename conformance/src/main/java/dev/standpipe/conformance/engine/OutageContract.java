package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunStatus;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What callers see of a database that is away for a while. */
public interface OutageContract extends EnginePart {
  @Test
  default void callsWaitUntilTheDatabaseIsBack() throws Exception {
    Valve valve = Valve.before(engine().source());
    Pipeline<String, String> pipeline = single("waited-for", (text, ctx) -> text);
    try (Standpipe client = Standpipe.on(valve.dataSource()).start()) {
      Run<String> before = client.start(pipeline, "before");
      valve.cut();
      var status = CompletableFuture.supplyAsync(before::status);
      var found = CompletableFuture.supplyAsync(() -> client.run(before.id()));
      var started = CompletableFuture.supplyAsync(() -> client.start(pipeline, "during"));
      var canceled =
          CompletableFuture.supplyAsync(() -> client.operator("ann").cancel(before.id(), "late"));
      await()
          .during(Duration.ofMillis(300))
          .atMost(PATIENCE)
          .until(
              () -> !status.isDone() && !found.isDone() && !started.isDone() && !canceled.isDone());
      valve.open();
      assertThat(canceled.get(1, TimeUnit.MINUTES)).isEqualTo(RunStatus.CANCELED);
      assertThat(status.get(1, TimeUnit.MINUTES))
          .isIn(RunStatus.RUNNING, RunStatus.CANCELING, RunStatus.CANCELED);
      assertThat(found.get(1, TimeUnit.MINUTES).id()).isEqualTo(before.id());
      Run<String> run = started.get(1, TimeUnit.MINUTES);
      engine().serve(pipeline);
      assertThat(run.await(PATIENCE)).isEqualTo("during");
      assertThat(engine().query("select count(*) from standpipe_run")).containsExactly("2");
    } finally {
      valve.open();
    }
  }

  @Test
  default void anAwaitGoesOnWhenTheDatabaseIsBack() throws Exception {
    Valve valve = Valve.before(engine().source());
    Pipeline<String, String> pipeline = single("awaited", (text, ctx) -> text);
    engine().serve(pipeline);
    try (Standpipe client = Standpipe.on(valve.dataSource()).start()) {
      Run<String> run = client.start(pipeline, "there");
      engine().client().run(pipeline, run.id()).await(PATIENCE);
      valve.cut();
      var awaited =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return run.await(PATIENCE);
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      await()
          .during(Duration.ofMillis(300))
          .atMost(PATIENCE)
          .until(() -> !awaited.isCompletedExceptionally() && !awaited.isDone());
      valve.open();
      assertThat(awaited.get(1, TimeUnit.MINUTES)).isEqualTo("there");
    } finally {
      valve.open();
    }
  }

  /** A call waits for a connection, and for another try of its own: both at the same time. */
  @Test
  default void aCallWaitsNoLongerThanItsOutageTolerance() {
    Valve valve = Valve.before(engine().source());
    Duration tolerance = Duration.ofSeconds(2);
    Pipeline<String, String> pipeline = single("patient", (text, ctx) -> text);
    try (Standpipe client = Standpipe.on(valve.dataSource()).outageTolerance(tolerance).start()) {
      Run<String> run = client.start(pipeline, "");
      valve.cut();
      for (Runnable call : List.<Runnable>of(run::status, () -> client.start(pipeline, ""))) {
        long began = System.nanoTime();
        assertThatExceptionOfType(StandpipeException.class)
            .isThrownBy(call::run)
            .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE));
        assertThat(Duration.ofNanos(System.nanoTime() - began))
            .isBetween(tolerance, tolerance.multipliedBy(2).minusMillis(1));
      }
    } finally {
      valve.open();
    }
  }

  @Test
  default void aCallWithoutOutageToleranceFailsAtOnce() {
    Valve valve = Valve.before(engine().source());
    Pipeline<String, String> pipeline = single("hasty", (text, ctx) -> text);
    try (Standpipe client =
        Standpipe.on(valve.dataSource()).outageTolerance(Duration.ZERO).start()) {
      Run<String> run = client.start(pipeline, "");
      valve.cut();
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(run::status)
          .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.DATABASE_UNREACHABLE));
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> client.start(pipeline, ""));
    } finally {
      valve.open();
    }
  }
}
