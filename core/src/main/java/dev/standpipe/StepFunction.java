package dev.standpipe;

/**
 * A {@link StepBody} that needs nothing but its input. It is one itself, so that a reference to an
 * overloaded method ({@code String::toUpperCase}, {@code Integer::parseInt}), which would do for
 * either, is taken for this.
 *
 * @param <T> the input
 * @param <R> the result
 */
@FunctionalInterface
public interface StepFunction<T, R> extends StepBody<T, R> {
  /** Runs the step. Any exception fails the attempt; {@link Retry} decides what follows. */
  R run(T input) throws Exception;

  @Override
  default R run(T input, StepContext ctx) throws Exception {
    return run(input);
  }
}
