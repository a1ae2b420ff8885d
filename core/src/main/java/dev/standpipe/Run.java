package dev.standpipe;

import dev.standpipe.error.AwaitTimeoutException;
import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.SubStepInfo;
import dev.standpipe.info.TurnInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * One execution of a pipeline on one input. Holds no state of its own: every call but {@link #id()}
 * asks the database. Thread-safe.
 *
 * @param <T> the run's result
 */
public interface Run<T> {
  /** The run's id. */
  UUID id();

  /** All there is to know about the run itself. */
  RunInfo info();

  /** Where the run is. */
  default RunStatus status() {
    return info().status();
  }

  /** Its steps that have a row: finished, held, ready or scheduled. */
  List<StepInfo> steps();

  /**
   * Every settled try at its steps, oldest first: succeeded, failed, timed out, snoozed, crashed.
   */
  List<AttemptInfo> attempts();

  /**
   * The sub-steps of a step, in the order in which they were committed.
   *
   * @param node the key of its node
   * @param index the element's position below an expand, otherwise 0
   */
  List<SubStepInfo> subSteps(String node, int index);

  /**
   * Its steps that have no outcome yet, and what each of them waits for; 1,000 at most. Empty if
   * the run has ended.
   */
  List<PendingStep> pending();

  /**
   * The last turns of a loop that another turn has followed, or will, oldest first; so many as the
   * loop {@link Node#keep keeps}. Empty if it has not ended its first turn, or took but one.
   *
   * @param node the key of its node
   * @param index the element's position below an expand, otherwise 0
   * @param state the type of its state: that of the value before the loop
   * @throws InvalidValueException if a state is not of this type
   */
  <S> List<TurnInfo<S>> turns(String node, int index, Class<S> state);

  /**
   * The value of a step that has succeeded; a value of {@code null} is empty as well.
   *
   * @param node the key of its node
   * @param index the element's position below an expand, otherwise 0
   * @throws InvalidValueException if it is not of this type
   */
  <V> Optional<V> value(String node, int index, Class<V> type);

  /** The result, if the run has succeeded; a result of {@code null} is empty as well. */
  Optional<T> result();

  /**
   * Waits for the run to end.
   *
   * @return its result, which is {@code null} if its last step returned {@code null}
   * @throws RunFailedException if it ended otherwise; names the step, the attempt and the error
   * @throws AwaitTimeoutException if it has not ended within this time; it goes on
   * @throws InterruptedException if the waiting thread is interrupted
   */
  T await(Duration timeout) throws InterruptedException;

  /** {@link #then(Pipeline, RunOptions) Chains} a run without options. */
  default <R> Run<R> then(Pipeline<? super T, R> next) {
    return then(next, RunOptions.none());
  }

  /**
   * Starts a run that takes this one's result as its input. When this returns, the new run is
   * committed: it is {@link RunStatus#WAITING} until this one has succeeded and then begins; if
   * this one ends otherwise, it ends {@link RunStatus#SKIPPED}. May be called at any time, also
   * after this run has ended, and any number of times.
   *
   * @throws DuplicateKeyException if the options' key belongs to a run that does not wait for this
   * @throws UnknownRunException if this run is not there
   */
  <R> Run<R> then(Pipeline<? super T, R> next, RunOptions options);
}
