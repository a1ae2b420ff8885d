package dev.standpipe.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

/**
 * F34: thousands of schedules of whole processes over a real store, each decided by its seed:
 * crashes between any two calls, freezes, clocks that jump, replies that get lost, bodies that
 * throw, hang and return. {@code -Dseed=N} plays one and prints its trace; {@code -Dlimits=…} as a
 * failure prints them.
 */
class F34SimulationTest {
  private static final int SCHEDULES = Integer.getInteger("schedules", 2_000);
  private static final Logger EVENTS = (Logger) LoggerFactory.getLogger("dev.standpipe.events");

  private record Failure(long seed, SimLimits limits, List<String> violations, String trace) {
    @Override
    public String toString() {
      return trace
          + "\n"
          + String.join("\n", violations)
          + "\nReplay with -Dtest=F34SimulationTest#everyScheduleComesToItsEnd -Dseed="
          + seed
          + " -Dlimits="
          + limits;
    }
  }

  @BeforeAll
  static void keepTheLogShort() {
    EVENTS.setLevel(Level.ERROR);
  }

  @AfterAll
  static void logAgain() {
    EVENTS.setLevel(null);
  }

  @Test
  void everyScheduleComesToItsEnd() throws SQLException {
    String seed = System.getProperty("seed");
    if (seed != null) {
      replay(Long.parseLong(seed));
      return;
    }
    long startedAt = System.nanoTime();
    Optional<Failure> failure = firstFailure(Mutation.NONE, SCHEDULES);
    if (failure.isPresent()) {
      fail("Seed %d fails\n%s", failure.get().seed(), shrunk(failure.get(), Mutation.NONE));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - startedAt);
    System.out.printf(
        "F34: %d schedules, %d s, %d a minute%n",
        SCHEDULES, took.toSeconds(), SCHEDULES * 60_000L / Math.max(1, took.toMillis()));
  }

  private static void replay(long seed) throws SQLException {
    SimLimits limits = SimLimits.parse(System.getProperty("limits", SimLimits.FULL.toString()));
    Failure played = play(seed, limits, Mutation.NONE);
    System.out.println(played);
    assertThat(played.violations()).isEmpty();
  }

  @Test
  void theSameSeedPlaysTheSameSchedule() throws SQLException {
    for (long seed = 1; seed <= 20; seed++) {
      Failure once = play(seed, SimLimits.FULL, Mutation.NONE);
      Failure again = play(seed, SimLimits.FULL, Mutation.NONE);
      assertThat(again.trace()).as("the trace of seed %d", seed).isEqualTo(once.trace());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedBugIsFound(Mutation mutation) throws SQLException {
    Optional<Failure> failure = firstFailure(mutation, SCHEDULES);
    assertThat(failure).as("a seed that fails with %s", mutation).isPresent();
    System.out.printf(
        "F34: %s found with seed %d: %s%n",
        mutation, failure.get().seed(), failure.get().violations().get(0));
  }

  private static Optional<Failure> firstFailure(Mutation mutation, int schedules)
      throws SQLException {
    for (long seed = 1; seed <= schedules; seed++) {
      Failure played = play(seed, SimLimits.FULL, mutation);
      if (!played.violations().isEmpty()) {
        return Optional.of(played);
      }
    }
    return Optional.empty();
  }

  /** The smallest that fails with the same seed, as far as trying each limit in turn finds it. */
  private static Failure shrunk(Failure failure, Mutation mutation) throws SQLException {
    Failure smallest = failure;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (SimLimits limits : smallest.limits().smaller()) {
        if (!smaller && limits.faults() >= 0 && !limits.equals(smallest.limits())) {
          Failure tried = play(failure.seed(), limits, mutation);
          if (!tried.violations().isEmpty()) {
            smallest = tried;
            smaller = true;
          }
        }
      }
    }
    return smallest;
  }

  /** Whatever a pass throws, other than that the database cannot be reached, is a failure too. */
  private static Failure play(long seed, SimLimits limits, Mutation mutation) throws SQLException {
    try (Simulation simulation = new Simulation(seed, limits, mutation)) {
      List<String> violations;
      try {
        violations = simulation.play();
      } catch (RuntimeException | Error e) {
        violations = List.of("seed " + seed + " threw " + e + " at " + e.getStackTrace()[0]);
      }
      return new Failure(seed, limits, violations, simulation.trace());
    }
  }
}
