package dev.standpipe;

import dev.standpipe.error.AttemptOverException;
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

  /** The turn of a loop, from 1; of any other step it is 1. */
  int turn();

  /** The fencing token of this attempt: grows with every claim. Hand it to systems that fence. */
  long token();

  /**
   * The same for every attempt of this step of this run, across retries, crashes and revival; each
   * turn of a loop has its own. Hand it to systems that deduplicate.
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

  /**
   * A call inside of a body.
   *
   * @param <T> what it returns
   * @param <E> what it throws; {@code RuntimeException} if nothing that is checked
   */
  @FunctionalInterface
  interface OnceValue<T extends @Nullable Object, E extends Exception> {
    /** Makes the call. */
    T get() throws E;
  }

  /**
   * A call inside of a body that returns nothing.
   *
   * @param <E> what it throws; {@code RuntimeException} if nothing that is checked
   */
  @FunctionalInterface
  interface OnceEffect<E extends Exception> {
    /** Makes the call. */
    void run() throws E;
  }

  /**
   * A durable sub-step: makes a call, and commits what it returns before this returns. Every later
   * try of this step of this run (after a failure, a crash, a snooze, a take-over or a revive) gets
   * that value back and does not make the call again; nor does a second use of the key in this try.
   *
   * <p>The call is made at least once, and once more for each time that a process dies, or loses
   * the step, between the end of the call and its commit: hand {@link #idempotencyKey(String)} to
   * systems that deduplicate. What is returned is what the database would give back, also the first
   * time. If the call throws, nothing is stored, and the exception passes. May be used from several
   * threads of the body; of two that use one key at once the second waits for the first. Calls may
   * be inside of each other, with different keys.
   *
   * @param key names the call within the step, in 1 to 200 characters
   * @throws InvalidValueException if the value cannot be stored; the run halts if the body lets it
   *     pass
   * @throws AttemptOverException if this try is over: nothing of it is taken any more
   */
  default <T extends @Nullable Object, E extends Exception> T once(
      String key, Class<T> type, OnceValue<? extends T, E> call) throws E {
    return once(key, TypeToken.of(type), call);
  }

  /** The same for a value of a type with parameters. */
  <T extends @Nullable Object, E extends Exception> T once(
      String key, TypeToken<T> type, OnceValue<? extends T, E> call) throws E;

  /** The same for a call that returns nothing. */
  default <E extends Exception> void once(String key, OnceEffect<E> call) throws E {
    this.<Boolean, E>once(
        key,
        Boolean.class,
        () -> {
          call.run();
          return true;
        });
  }

  /**
   * The same for every try at the sub-step of this key: derived from the step's own {@link
   * #idempotencyKey()}. Hand it to systems that deduplicate.
   */
  default String idempotencyKey(String key) {
    return idempotencyKey() + "#" + key;
  }

  /**
   * Keeps how far the body has come: when this returns, the value is committed, and the next try of
   * this step gets it, after a crash, a stop, a failure, a snooze or a revive. Replaces the step's
   * last checkpoint. It goes when the step succeeds.
   *
   * @throws InvalidValueException if the value cannot be stored, or is too large; the run halts if
   *     the body lets it pass
   * @throws AttemptOverException if this try is over: nothing of it is taken any more
   */
  void checkpoint(@Nullable Object value);

  /** The same for a value of a type with parameters. */
  <T> void checkpoint(T value, TypeToken<T> type);

  /** The step's last checkpoint, of this try or an earlier one; empty if it has none. */
  default <T> Optional<T> checkpoint(Class<T> type) {
    return checkpoint(TypeToken.of(type));
  }

  /** The same for a value of a type with parameters. */
  <T> Optional<T> checkpoint(TypeToken<T> type);

  /**
   * Reports how far the body has come, for people to see in {@code StepInfo} and {@code standpipe
   * run show}. Costs no statement: the last report of each step goes to the database with the
   * heartbeat of its process, so the last of a step that ends soon after it may never be seen.
   *
   * @param done how much is done, not below zero
   * @param total how much there is to do, not below zero; it may turn out to be more
   * @param note what else there is to say of it; what is longer than 200 characters is cut
   */
  void progress(long done, long total, String note);

  /** The same without a note. */
  default void progress(long done, long total) {
    progress(done, total, "");
  }

  /** A logger named after the step; its MDC carries run, node, index, attempt and token. */
  Logger log();
}
