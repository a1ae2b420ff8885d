package dev.standpipe;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.outbox.EventOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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

  /** 1 for the first try, 2 for the first retry and so on. Crashes and snoozes do not count. */
  int attempt();

  /** The fencing token of this attempt: grows with every claim. Hand it to systems that fence. */
  long token();

  /**
   * The same for every attempt of this step of this run, across retries, crashes and revival. Hand
   * it to systems that deduplicate.
   */
  String idempotencyKey();

  /**
   * Whether this attempt's result is no longer wanted: it ran out of time, its run is stopped, or
   * this process lost its lease or is stopping. The body's thread is interrupted as well.
   */
  boolean isCanceled();

  /** The time left before the step's time-out, or empty if it has none. Never negative. */
  Optional<Duration> timeLeft();

  /**
   * Ends the run early, as a success, once this body returns: the run's result is this value as it
   * is now, and whatever else the run was doing or waiting for is dropped. Bodies that are running
   * are interrupted and, after a grace, cut off. Called again, the last value counts. If the body
   * throws, nothing has been said; if two steps do this at once, or one does while another halts
   * the run, what is committed first decides.
   *
   * @throws InvalidValueException if the value is not of the pipeline's output type; the run halts
   *     if the body lets it pass
   */
  void finishRun(@Nullable Object value);

  /**
   * Emits an event about this run; see {@link #emit(String, Object, EventOptions)}.
   *
   * @param type what happened, such as {@code order.paid}
   */
  default UUID emit(String type, @Nullable Object payload) {
    return emit(type, payload, EventOptions.none());
  }

  /**
   * Emits an event: it is committed with this step, or not at all, and then published to every sink
   * at least once, in the order of commits per subject. A body that is run again emits again, and
   * what the earlier try has emitted is gone.
   *
   * @param type what happened, such as {@code order.paid}
   * @param payload what to tell of it
   * @return the event's id; every delivery carries it
   * @throws InvalidValueException if the payload cannot be written
   * @throws StandpipeException with {@code STEP_ENDED} if the body has ended
   */
  UUID emit(String type, @Nullable Object payload, EventOptions options);

  /** What the steps of this run share by name. */
  RunContext context();

  /** A logger named after the step; its MDC carries run, node, index, attempt and token. */
  Logger log();
}
