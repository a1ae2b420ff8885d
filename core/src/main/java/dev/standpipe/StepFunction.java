package dev.standpipe;

/**
 * A {@link StepBody} that needs nothing but its input.
 *
 * @param <T> the input
 * @param <R> the result
 */
@FunctionalInterface
public interface StepFunction<T, R> {
  /** Runs the step. Any exception fails the attempt; {@link Retry} decides what follows. */
  R run(T input) throws Exception;
}
