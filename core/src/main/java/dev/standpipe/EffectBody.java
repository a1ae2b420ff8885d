package dev.standpipe;

/**
 * Code that runs for its effect and has no value: of a step, a callback or a compensation, given
 * everything about the attempt. Delivery: at least once, as for a {@link StepBody}.
 *
 * @param <T> the input
 */
@FunctionalInterface
public interface EffectBody<T> {
  /** Does it. Any exception fails the attempt; {@link Retry} decides what follows. */
  void run(T input, StepContext ctx) throws Exception;
}
