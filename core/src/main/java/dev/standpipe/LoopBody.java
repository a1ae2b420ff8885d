package dev.standpipe;

/**
 * What one turn of a loop does with its state.
 *
 * <p>Delivery: at least once for each turn. A turn may run again after a crash or a failure, on the
 * same state and with the same {@link StepContext#idempotencyKey() idempotency key}; what it says
 * is committed exactly once.
 *
 * @param <S> the state: the value before the loop in the first turn, then what the turn before has
 *     handed on
 * @param <R> the loop's value
 */
@FunctionalInterface
public interface LoopBody<S, R> {
  /**
   * Runs one turn. Any exception fails the attempt; {@link Retry} decides what follows.
   *
   * @return {@link Loop#again} or {@link Loop#done}, never {@code null}
   */
  Loop<? extends S, ? extends R> turn(S state, StepContext ctx) throws Exception;
}
