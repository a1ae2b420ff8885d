package dev.standpipe;

/**
 * What a step does with its input, given everything about the attempt.
 *
 * <p>Delivery: at least once. A body may run again after a crash or a failure, with the same {@link
 * StepContext#idempotencyKey() idempotency key}; its outcome is committed exactly once.
 *
 * @param <T> the input
 * @param <R> the result
 */
@FunctionalInterface
public interface StepBody<T, R> {
  /** Runs the step. Any exception fails the attempt; {@link Retry} decides what follows. */
  R run(T input, StepContext ctx) throws Exception;
}
