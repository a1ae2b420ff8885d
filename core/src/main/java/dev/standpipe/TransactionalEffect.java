package dev.standpipe;

/**
 * An {@link EffectBody} whose own writes are committed with its step: of a step without a value, a
 * compensation or a callback. Delivery: as for a {@link TransactionalBody}.
 *
 * @param <T> the input
 */
@FunctionalInterface
public interface TransactionalEffect<T> extends EffectBody<T> {
  /** Does it. Any exception rolls everything back and fails the attempt. */
  void run(T input, StepTransaction tx) throws Exception;

  @Override
  default void run(T input, StepContext ctx) throws Exception {
    run(input, StepTransaction.of(ctx));
  }

  /**
   * A lambda as such a body, where an {@link EffectBody} is asked for: {@code
   * step.compensate(TransactionalEffect.of((booking, tx) -> …))}.
   */
  static <T> TransactionalEffect<T> of(TransactionalEffect<T> body) {
    return body;
  }
}
