package dev.standpipe.internal.engine;

import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

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
          + "\nReplay with -Dtest=F34SimulationTest#everyScheduleComesToItsEnd -Dseed="
          + seed
          + " -Dlimits="
          + limits;
    }
  }

  static Optional<Played> firstFailure(Mutation mutation) throws SQLException {
    for (long seed = 1; seed <= ALL; seed++) {
      Played played = play(seed, SimLimits.FULL, mutation);
      if (!played.violations().isEmpty()) {
        return Optional.of(played);
      }
    }
    return Optional.empty();
  }

  /** The smallest that fails with the same seed, as far as trying each limit in turn finds it. */
  static Played shrunk(Played failure, Mutation mutation) throws SQLException {
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
  static Played play(long seed, SimLimits limits, Mutation mutation) throws SQLException {
    try (Simulation simulation = new Simulation(seed, limits, mutation)) {
      List<String> violations;
      try {
        violations = simulation.play();
      } catch (RuntimeException | Error e) {
        violations = List.of("seed " + seed + " threw " + e + " at " + e.getStackTrace()[0]);
      }
      return new Played(seed, limits, violations, simulation.trace());
    }
  }
}
