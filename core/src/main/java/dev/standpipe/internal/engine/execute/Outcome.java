package dev.standpipe.internal.engine.execute;

import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.internal.port.Settlement.TurnEntry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a try ended, before the planner works out what follows.
 *
 * @param attempt the try
 * @param elapsedNanos how long the body ran
 * @param ending how it ended
 */
public record Outcome(Attempt attempt, long elapsedNanos, AttemptEnding ending) {
  /** How many values there are to write. */
  public int weight() {
    if (ending instanceof Returned returned) {
      return Math.max(1, returned.values().size());
    }
    return ending instanceof Yielded yielded ? Math.max(1, yielded.values().size()) : 1;
  }

  /** About how many bytes there are to write. */
  public long bytes() {
    long bytes = 0;
    for (StepEffect effect : effects()) {
      bytes += effect.bytes();
    }
    if (ending instanceof Returned returned) {
      return bytes + bytes(returned.values(), returned.output());
    }
    if (ending instanceof Turned turned) {
      return bytes + bytes(List.of(), turned.output());
    }
    return ending instanceof Yielded yielded
        ? bytes + bytes(yielded.values(), yielded.output())
        : bytes;
  }

  private static long bytes(List<String> values, @Nullable String output) {
    long bytes = output == null ? 0 : output.length();
    for (String value : values) {
      bytes += value.length();
    }
    return bytes;
  }

  /** What the body does besides, to be committed with its step. */
  public List<StepEffect> effects() {
    if (ending instanceof Returned returned) {
      return returned.effects();
    }
    if (ending instanceof Turned turned) {
      return turned.effects();
    }
    return ending instanceof Yielded yielded ? yielded.effects() : List.of();
  }

  /** Whether there are values to write, which a database may refuse. */
  public boolean hasValues() {
    return ending instanceof Returned || ending instanceof Yielded || ending instanceof Turned;
  }

  /** How a try ended. */
  public sealed interface AttemptEnding
      permits Returned, Yielded, Turned, NotRun, Threw, Waits, GivenBack, TakenBack {}

  /**
   * The body returned.
   *
   * @param values its value, or its elements', encoded
   * @param output the run's result, encoded, if the body has ended the run early
   * @param effects what it does besides
   */
  public record Returned(List<String> values, @Nullable String output, List<StepEffect> effects)
      implements AttemptEnding {
    public Returned(List<String> values) {
      this(values, null, List.of());
    }
  }

  /**
   * An expand has yielded some of its elements.
   *
   * @param first how many it had yielded before
   * @param values the elements, encoded
   * @param last whether there are no more
   * @param output the run's result, encoded, if the body has ended the run early
   * @param effects what it does besides
   */
  public record Yielded(
      int first,
      List<String> values,
      boolean last,
      @Nullable String output,
      List<StepEffect> effects)
      implements AttemptEnding {
    public Yielded(int first, List<String> values, boolean last) {
      this(first, values, last, null, List.of());
    }
  }

  /**
   * A turn of a loop has ended, and another one follows.
   *
   * @param entry the turn, with what it hands on
   * @param delay how long the next one waits
   * @param output the run's result, encoded, if the body has ended the run early
   * @param effects what it does, the turn's own entry first
   */
  public record Turned(
      TurnEntry entry, Duration delay, @Nullable String output, List<StepEffect> effects)
      implements AttemptEnding {}

  /** The body was not run: when the step's turn came, it was to be skipped, or is lost. */
  public record NotRun(boolean lost) implements AttemptEnding {}

  /** The body threw, or ran out of time. */
  public record Threw(AttemptFailure failure, boolean timedOut) implements AttemptEnding {}

  /** There is nothing to do until a signal comes; if not in time, to be told so. */
  public record Waits(Optional<Duration> within) implements AttemptEnding {}

  /** The body was not run, or not to its end, through no fault of its own. */
  public record GivenBack() implements AttemptEnding {}

  /**
   * The body returned, and its transaction was rolled back or lost, through no fault of its own.
   *
   * @param inDoubt whether the transaction may have been committed after all; then the task has its
   *     next token, and cannot be given back
   */
  public record TakenBack(boolean inDoubt) implements AttemptEnding {}
}
