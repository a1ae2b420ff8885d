package dev.standpipe.internal.port;

import dev.standpipe.internal.outbox.StoredOutbox;
import dev.standpipe.internal.schedule.StoredSchedules;
import dev.standpipe.internal.substep.StoredSubSteps;

/**
 * The rows of Standpipe in one database, through connections of one kind: borrowed per call, or one
 * that the store keeps. Every call is one transaction and leaves none open. Thread-safe.
 *
 * <p>Calls throw {@link dev.standpipe.error.StandpipeException} with {@code DATABASE_UNREACHABLE}
 * if it is unknown whether they took effect, and {@code DATABASE_ERROR} if they did not.
 */
public interface Store extends AutoCloseable {
  /** Definitions and who serves them. */
  Definitions definitions();

  /** Processes and their leases. */
  Processes processes();

  /** Runs, started and ended. */
  Runs runs();

  /** Runs, read. */
  RunQueries runQueries();

  /** When runs must have ended. */
  Deadlines deadlines();

  /** Tasks, claimed and settled. */
  Tasks tasks();

  /** What follows the ends of runs. */
  RunEnds runEnds();

  /** Steps in quarantine. */
  Quarantines quarantines();

  /** Runs and lanes of which nothing is taken for now. */
  Pauses pauses();

  /** Signals, given and found. */
  Signals signals();

  /** Runs that steps have called. */
  Calls calls();

  /** Schedules, changed and fired. */
  StoredSchedules schedules();

  /** Events, emitted and published. */
  StoredOutbox outbox();

  /** What tries write before they end. */
  StoredSubSteps subSteps();

  /** What there is to do. */
  PendingWork pendingWork();

  /** Gives back what connections it keeps. */
  @Override
  void close();
}
