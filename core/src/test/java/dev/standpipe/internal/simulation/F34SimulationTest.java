package dev.standpipe.internal.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.standpipe.internal.simulation.Schedules.Played;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * F34: thousands of schedules of whole processes over a real store, each decided by its seed:
 * crashes between any two calls, freezes, clocks that jump, replies that get lost, bodies that
 * throw, hang and return. {@code -Dseed=N} plays one and prints its trace; {@code -Dlimits=…} as a
 * failure prints them.
 */
class F34SimulationTest {
  private static final Logger EVENTS = (Logger) LoggerFactory.getLogger("dev.standpipe.events");

  @BeforeAll
  static void keepTheLogShort() {
    EVENTS.setLevel(Level.ERROR);
  }

  @AfterAll
  static void logAgain() {
    EVENTS.setLevel(null);
  }

  @Test
  void everyScheduleEnds() {
    String seed = System.getProperty("seed");
    if (seed != null) {
      replay(Long.parseLong(seed));
      return;
    }
    long startedAt = System.nanoTime();
    Optional<Played> failure = Schedules.firstFailure(Mutation.NONE);
    if (failure.isPresent()) {
      fail(
          "Seed %d fails\n%s",
          failure.get().seed(), Schedules.shrunk(failure.get(), Mutation.NONE));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - startedAt);
    System.out.printf(
        "F34: %d schedules, %d s, %d a minute%n",
        Schedules.ALL, took.toSeconds(), Schedules.ALL * 60_000L / Math.max(1, took.toMillis()));
  }

  private static void replay(long seed) {
    SimLimits limits = SimLimits.parse(System.getProperty("limits", SimLimits.FULL.toString()));
    Played played = Schedules.play(seed, limits, Mutation.NONE);
    System.out.println(played);
    assertThat(played.violations()).isEmpty();
  }

  @Test
  void theSameSeedPlaysTheSameSchedule() {
    for (long seed = 1; seed <= 20; seed++) {
      Played once = Schedules.play(seed, SimLimits.FULL, Mutation.NONE);
      Played again = Schedules.play(seed, SimLimits.FULL, Mutation.NONE);
      assertThat(again.trace()).as("the trace of seed %d", seed).isEqualTo(once.trace());
    }
  }
}
