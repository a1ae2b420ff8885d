package dev.standpipe.bench.contract;

import java.util.Optional;

/** A library or program that is measured. Thread-safe. */
public interface Contender {
  /** Its name in the results. */
  String name();

  /** Which version of it is measured. */
  String version();

  /** How it is set up, and what its figures mean, in a sentence or two for the reader. */
  String configuration();

  /** Why it cannot do this kind of trial with these runs; empty if it can. */
  Optional<String> cannot(Trial.Kind trial, Shape shape);

  /**
   * One that starts runs and works on none. Makes the tables if they are not there.
   *
   * @param url the database, with user and password if need be
   */
  Engine client(String url, Shape shape) throws Exception;

  /**
   * One that works on runs, and starts to at once. Makes the tables if they are not there.
   *
   * @param tally what its step bodies report to
   * @param settings what differs from the usual setup
   */
  Engine worker(String url, Shape shape, Tally tally, Settings settings) throws Exception;

  /**
   * What a worker has beside the runs.
   *
   * @param pipelines how many other pipelines it serves, which have no runs
   * @param schedules how many schedules it declares, each of which fires once an hour
   */
  record Beside(int pipelines, int schedules) {
    /** Nothing. */
    public static final Beside NOTHING = new Beside(0, 0);
  }

  /**
   * One that works on runs, with more beside.
   *
   * @param tally what its step bodies report to
   */
  default Engine workerBeside(String url, Shape shape, Tally tally, Beside beside)
      throws Exception {
    if (!beside.equals(Beside.NOTHING)) {
      throw new UnsupportedOperationException(name() + " is not set up for " + beside);
    }
    return worker(url, shape, tally, Settings.USUAL);
  }

  /** How soon a dead worker is noticed. */
  enum Settings {
    /** For workloads in which nobody dies. */
    USUAL,
    /** As the contender does by default. */
    DEFAULT_RECOVERY,
    /** As soon as is sensible, or as it allows. */
    QUICK_RECOVERY;

    /** Whether workers are to be noticed as by default, whatever else that means. */
    public boolean defaultRecovery() {
      return this == DEFAULT_RECOVERY;
    }

    /** Whether workers are to be noticed soon. */
    public boolean quickRecovery() {
      return this == QUICK_RECOVERY;
    }
  }
}
