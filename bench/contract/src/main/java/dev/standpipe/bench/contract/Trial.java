package dev.standpipe.bench.contract;

/** One kind of measurement of one contender. Stateless. */
@FunctionalInterface
public interface Trial {
  /** Does what is asked for; what is measured goes to the orchestrator through the line. */
  void run(Contender contender, Order order, Line line) throws Exception;

  /** The kinds there are. */
  enum Kind {
    /** Start runs, then measure how fast they are worked off. */
    DRAIN,
    /** Call run after run, or at a rate, and measure how long each takes. */
    LATENCY,
    /** Start runs as fast as can be, with nobody to work on them. */
    START,
    /** Leave runs in the database for others. */
    FILL,
    /** Work until told to stop, reporting along the way. */
    SERVE,
    /** Start runs and work on them for a long time. */
    SOAK;

    /** How it is done. */
    Trial trial() {
      return switch (this) {
        case DRAIN -> new DrainTrial();
        case LATENCY -> new LatencyTrial();
        case START -> new StartTrial();
        case FILL -> new FillTrial();
        case SERVE -> new ServeTrial();
        case SOAK -> new SoakTrial();
      };
    }
  }
}
