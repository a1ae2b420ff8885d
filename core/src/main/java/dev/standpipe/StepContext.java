package dev.standpipe;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;

/**
 * What a step body may want to know about the attempt it is part of. Valid while the body runs, and
 * only on threads the body itself controls.
 */
public interface StepContext {
  /** The run this step belongs to. */
  UUID runId();

  /** The name of the run's pipeline. */
  String pipeline();

  /** The key of the node. */
  String node();

  /**
   * The element's position below an expand, otherwise 0. For an expand inside another, positions
   * are numbered through: the index outside times the limit inside, plus the position inside.
   */
  int index();

  /** 1 for the first try, 2 for the first retry and so on. Crashes do not count. */
  int attempt();

  /** The fencing token of this attempt: grows with every claim. Hand it to systems that fence. */
  long token();

  /**
   * The same for every attempt of this step of this run, across retries, crashes and revival. Hand
   * it to systems that deduplicate.
   */
  String idempotencyKey();

  /**
   * Whether nobody wants this attempt's result any more: it ran out of time, or this process lost
   * its lease or is stopping. The body's thread is interrupted as well.
   */
  boolean isCanceled();

  /** The time left before the step's time-out, or empty if it has none. Never negative. */
  Optional<Duration> timeLeft();

  /** A logger named after the step; its MDC carries run, node, index, attempt and token. */
  Logger log();
}
