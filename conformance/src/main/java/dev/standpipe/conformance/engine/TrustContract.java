package dev.standpipe.conformance.engine;

import static dev.standpipe.conformance.fixture.EngineFixture.PATIENCE;
import static dev.standpipe.conformance.fixture.EngineFixture.SHORT_LEASE;
import static dev.standpipe.conformance.fixture.EngineFixture.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.standpipe.Pipeline;
import dev.standpipe.Role;
import dev.standpipe.Run;
import dev.standpipe.Standpipe;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.fixture.EnginePart;
import dev.standpipe.conformance.fixture.Heard;
import dev.standpipe.conformance.fixture.Valve;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a process does whose way to the database is bad. */
public interface TrustContract extends EnginePart {
  /** A machine that stalls at the wrong moment makes it late, but not every time. */
  @Test
  default void aProcessInterruptsItsBodiesBeforeItsLeaseExpires() throws InterruptedException {
    Duration lease = Duration.ofSeconds(5);
    Duration took = untilInterrupted(lease);
    for (int again = 0; again < 2 && took.compareTo(lease) >= 0; again++) {
      took = untilInterrupted(lease);
    }
    assertThat(took).isLessThan(lease);
  }

  /** How long after it was cut off a process interrupts what it runs. */
  private Duration untilInterrupted(Duration lease) throws InterruptedException {
    Valve valve = Valve.before(engine().source());
    CountDownLatch running = new CountDownLatch(1);
    AtomicLong interruptedAt = new AtomicLong();
    Pipeline<String, String> pipeline =
        single(
            "cut",
            (text, ctx) -> {
              running.countDown();
              try {
                EngineFixture.pause(Duration.ofHours(1));
              } catch (InterruptedException e) {
                interruptedAt.set(System.nanoTime());
              }
              return text;
            });
    Standpipe process =
        Standpipe.on(valve.dataSource()).serve(pipeline).lease(lease).grace(Duration.ZERO).start();
    try (process) {
      engine().client().start(pipeline, "");
      running.await();
      valve.cut();
      long cutAt = System.nanoTime();
      await().atMost(PATIENCE).until(() -> interruptedAt.get() != 0);
      return Duration.ofNanos(interruptedAt.get() - cutAt);
    } finally {
      valve.open();
    }
  }

  /** For many leases nothing gets through; then it does, and there was nobody to reap it. */
  @Test
  default void aProcessKeepsItsIdentityThroughALongOutage() throws InterruptedException {
    Valve valve = Valve.before(engine().source());
    Pipeline<String, String> pipeline = single("returning", (text, ctx) -> text);
    Heard heard = new Heard();
    Standpipe process =
        Standpipe.on(valve.dataSource())
            .serve(pipeline)
            .role(Role.WORKER)
            .lease(SHORT_LEASE)
            .grace(Duration.ZERO)
            .listener(heard)
            .start();
    try (process) {
      valve.cut();
      await()
          .pollDelay(SHORT_LEASE.multipliedBy(6))
          .atMost(PATIENCE)
          .until(() -> !heard.all(Event.LeaseLost.class).isEmpty());
      assertThat(heard.all(Event.ProcessStarted.class)).hasSize(1);
      Run<String> run = engine().client().start(pipeline, "back");
      valve.open();
      assertThat(run.await(PATIENCE)).isEqualTo("back");
      assertThat(heard.all(Event.ProcessStarted.class)).hasSize(1);
    }
  }

  @Test
  default void transportFailuresMakeAProcessHoldFewerTasks() {
    int bodies = 16;
    Valve valve = Valve.before(engine().source());
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    Pipeline<String, String> pipeline =
        single(
            "strained",
            (text, ctx) -> {
              running.incrementAndGet();
              end.await();
              return text;
            });
    Heard heard = new Heard();
    Standpipe process =
        Standpipe.on(valve.dataSource())
            .serve(pipeline)
            .concurrency(bodies)
            .lease(Duration.ofSeconds(30))
            .pollInterval(Duration.ofMillis(10))
            .grace(Duration.ofSeconds(5))
            .listener(heard)
            .start();
    try (process) {
      Standpipe client = engine().client();
      valve.cut();
      await().atMost(PATIENCE).until(() -> lost(heard).contains("claimer"));
      List<Run<String>> runs = client.startAll(pipeline, Collections.nCopies(2 * bodies, ""));
      valve.open();
      await().atMost(PATIENCE).until(() -> running.get() > 0);
      await()
          .during(Duration.ofMillis(500))
          .atMost(PATIENCE)
          .until(() -> running.get() <= bodies / 2);
      await().atMost(PATIENCE).until(() -> running.get() == bodies);
      end.countDown();
      await().atMost(PATIENCE).until(() -> runs.stream().allMatch(r -> r.status().isTerminal()));
    } finally {
      valve.open();
      end.countDown();
    }
  }

  private static List<String> lost(Heard heard) {
    return heard.all(Event.DatabaseLost.class).stream().map(Event.DatabaseLost::part).toList();
  }
}
