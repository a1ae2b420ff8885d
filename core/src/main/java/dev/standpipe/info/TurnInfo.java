package dev.standpipe.info;

import java.time.Duration;
import java.time.Instant;

/**
 * A turn of a loop that another turn has followed, or will.
 *
 * @param turn its number, from 1
 * @param state the state that it has handed on
 * @param attempt the attempt that settled it
 * @param token the fencing token of that
 * @param finishedAt when it was committed, by the database's clock
 * @param elapsed how long its body ran
 * @param <S> the type of the state
 */
public record TurnInfo<S>(
    int turn, S state, int attempt, long token, Instant finishedAt, Duration elapsed) {
  /** The same turn, with its state in another form. */
  public <V> TurnInfo<V> withState(V other) {
    return new TurnInfo<>(turn, other, attempt, token, finishedAt, elapsed);
  }
}
