package dev.standpipe;

/**
 * An {@link EffectBody} that needs nothing but its input.
 *
 * @param <T> the input
 */
@FunctionalInterface
public interface Effect<T> extends EffectBody<T> {
  /** Does it. Any exception fails the attempt; {@link Retry} decides what follows. */
  void run(T input) throws Exception;

  @Override
  default void run(T input, StepContext ctx) throws Exception {
    run(input);
  }
}
