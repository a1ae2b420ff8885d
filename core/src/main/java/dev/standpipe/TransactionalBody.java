package dev.standpipe;

/**
 * A {@link StepBody} whose own writes are committed with its step.
 *
 * <p>Delivery: a body may run more than once, but what it writes through {@link
 * StepTransaction#connection()} happens exactly once if the step succeeds, and not at all
 * otherwise. What it does elsewhere is delivered at least once, as from any body.
 *
 * @param <T> the input
 * @param <R> the result
 */
@FunctionalInterface
public interface TransactionalBody<T, R> extends StepBody<T, R> {
  /**
   * Runs the step. Any exception rolls everything back and fails the attempt; after a deadlock or a
   * serialization failure it is run again, a few times, without using a retry.
   */
  R run(T input, StepTransaction tx) throws Exception;

  @Override
  default R run(T input, StepContext ctx) throws Exception {
    return run(input, StepTransaction.of(ctx));
  }

  /** A lambda as such a body, where a {@link StepBody} is asked for: of a join or a collapse. */
  static <T, R> TransactionalBody<T, R> of(TransactionalBody<T, R> body) {
    return body;
  }
}
