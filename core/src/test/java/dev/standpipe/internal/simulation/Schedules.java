package dev.standpipe.internal.simulation;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Plays schedules by their seeds. */
final class Schedules {
  /** How many there are. */
  static final int ALL = Integer.getInteger("schedules", 2_000);

  private Schedules() {}

  /**
   * A schedule that was played.
   *
   * @param violations what was wrong at its end
   * @param trace what happened
   */
  record Played(long seed, SimLimits limits, List<String> violations, String trace) {
    @Override
    public String toString() {
      return trace
          + "\n"
          + String.join("\n", violations)
          + "\nReplay with -Dtest=F34SimulationTest#everyScheduleEnds -Dseed="
          + seed
          + " -Dlimits="
          + limits;
    }
  }

  /** The lowest seed that fails, whichever of several threads plays it. */
  static Optional<Played> firstFailure(Mutation mutation) {
    AtomicLong next = new AtomicLong(1);
    AtomicLong lowest = new AtomicLong(ALL + 1L);
    Map<Long, Played> failures = new ConcurrentHashMap<>();
    IntStream.range(0, Runtime.getRuntime().availableProcessors())
        .mapToObj(
            player -> CompletableFuture.runAsync(() -> playAll(mutation, next, lowest, failures)))
        .toList()
        .forEach(CompletableFuture::join);
    return Optional.ofNullable(failures.get(lowest.get()));
  }

  private static void playAll(
      Mutation mutation, AtomicLong next, AtomicLong lowest, Map<Long, Played> failures) {
    for (long seed = next.getAndIncrement(); seed < lowest.get(); seed = next.getAndIncrement()) {
      Played played = play(seed, SimLimits.FULL, mutation);
      if (!played.violations().isEmpty()) {
        failures.put(seed, played);
        lowest.accumulateAndGet(seed, Math::min);
      }
    }
  }

  /** The smallest that fails with the same seed, as far as trying each limit in turn finds it. */
  static Played shrunk(Played failure, Mutation mutation) {
    Played smallest = failure;
    boolean smaller = true;
    while (smaller) {
      smaller = false;
      for (SimLimits limits : smallest.limits().smaller()) {
        if (!smaller && limits.faults() >= 0 && !limits.equals(smallest.limits())) {
          Played tried = play(failure.seed(), limits, mutation);
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
  static Played play(long seed, SimLimits limits, Mutation mutation) {
    try (Simulation simulation = new Simulation(seed, limits, mutation)) {
      List<String> violations;
      try {
        violations = simulation.play();
      } catch (RuntimeException | Error e) {
        violations = List.of("seed " + seed + " threw " + e + " at " + e.getStackTrace()[0]);
      }
      return new Played(seed, limits, violations, simulation.trace());
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot set the stage for seed " + seed, e);
    }
  }
}
