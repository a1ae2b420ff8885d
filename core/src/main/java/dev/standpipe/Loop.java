package dev.standpipe;

import java.time.Duration;
import java.util.Objects;

/**
 * What a turn of a loop says: {@link #again} with the state of the next turn, or {@link #done} with
 * the loop's value.
 *
 * <pre>{@code
 * Node<Report> report = job.loop("poll", Report.class, (j, ctx) -> {
 *     Status status = service.look(j);
 *     return status.isReady()
 *         ? Loop.done(status.report())
 *         : Loop.again(j).after(ofSeconds(30));
 * });
 * }</pre>
 *
 * @param <S> the state that one turn hands to the next
 * @param <R> the loop's value
 */
public sealed interface Loop<S, R> {
  /**
   * Another turn follows, with this state; at once, unless {@link NextTurn#after} says otherwise.
   */
  static <S, R> NextTurn<S, R> again(S state) {
    return new NextTurn<>(state, Duration.ZERO);
  }

  /** This turn was the last, and this is the value of the loop. */
  static <S, R> Loop<S, R> done(R value) {
    return new FinalTurn<>(value);
  }

  /**
   * Another turn follows.
   *
   * @param state its state
   * @param delay how long it waits, holding no thread
   */
  record NextTurn<S, R>(S state, Duration delay) implements Loop<S, R> {
    private static final Duration LONGEST = Duration.ofDays(36_500);

    public NextTurn {
      Objects.requireNonNull(
          delay, "The delay of a turn is null: leave after(…) out, or say how long");
      if (delay.isNegative() || delay.compareTo(LONGEST) > 0) {
        throw new IllegalArgumentException(
            "The delay of a turn must be zero to 36500 days, was " + delay);
      }
    }

    /**
     * Has the next turn wait for this long, by the database's clock, from the commit of this turn
     * on.
     *
     * @throws IllegalArgumentException if it is negative or longer than 36500 days
     */
    public <V> NextTurn<S, V> after(Duration delay) {
      return new NextTurn<>(state, delay);
    }
  }

  /**
   * There are no more turns.
   *
   * @param value the value of the loop
   */
  record FinalTurn<S, R>(R value) implements Loop<S, R> {}
}
