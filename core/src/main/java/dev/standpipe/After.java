package dev.standpipe;

import dev.standpipe.error.DuplicateKeyException;
import dev.standpipe.error.UnknownRunException;

/** Starts runs that wait for others to succeed. Thread-safe. */
public interface After {
  /** {@link #start(Pipeline, Object, RunOptions) Starts} a run without options. */
  default <I, O> Run<O> start(Pipeline<I, O> pipeline, I input) {
    return start(pipeline, input, RunOptions.none());
  }

  /**
   * Starts a run that waits. When this returns, the run is committed: it is {@link
   * RunStatus#WAITING} until the last of the others has succeeded and then begins; if one of them
   * ends otherwise, it ends {@link RunStatus#SKIPPED}. A delay counts from when it begins, a
   * deadline from this call.
   *
   * @throws DuplicateKeyException if the options' key belongs to a run with another input, or that
   *     waits for other runs
   * @throws UnknownRunException if one of the runs to wait for is not there
   */
  <I, O> Run<O> start(Pipeline<I, O> pipeline, I input, RunOptions options);
}
