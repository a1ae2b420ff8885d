package dev.standpipe.internal;

import dev.standpipe.RunOptions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Options as they were chosen, each of them checked. */
public record ChosenOptions(
    Optional<String> key,
    int priority,
    Map<String, String> labels,
    Duration delay,
    Optional<Duration> deadline)
    implements RunOptions {
  /** No option chosen. */
  public static final RunOptions NONE =
      new ChosenOptions(Optional.empty(), 0, Map.of(), Duration.ZERO, Optional.empty());

  private static final int LONGEST_KEY = 255;
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  @Override
  public RunOptions withKey(String key) {
    if (key == null || key.isBlank() || key.length() > LONGEST_KEY || !isStorable(key)) {
      throw new IllegalArgumentException(
          "A run key has 1 to "
              + LONGEST_KEY
              + " characters, not all blank, without NUL and without half surrogate pairs");
    }
    return new ChosenOptions(Optional.of(key), priority, labels, delay, deadline);
  }

  @Override
  public RunOptions priority(int priority) {
    if (priority < -1000 || priority > 1000) {
      throw new IllegalArgumentException("A priority must be -1000 to 1000, was " + priority);
    }
    return new ChosenOptions(key, priority, labels, delay, deadline);
  }

  @Override
  public RunOptions label(String name, String value) {
    if (name == null
        || value == null
        || name.isBlank()
        || !isStorable(name)
        || !isStorable(value)) {
      throw new IllegalArgumentException(
          "A label has a name, and neither NUL nor half surrogate pairs in name or value");
    }
    var more = new TreeMap<>(labels);
    more.put(name, value);
    return new ChosenOptions(key, priority, Map.copyOf(more), delay, deadline);
  }

  @Override
  public RunOptions delay(Duration delay) {
    if (delay == null || delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
      throw new IllegalArgumentException("A delay must be zero to 36500 days, was " + delay);
    }
    return new ChosenOptions(key, priority, labels, delay, deadline);
  }

  @Override
  public RunOptions deadline(Duration time) {
    if (time == null || time.isNegative() || time.isZero() || time.compareTo(LONGEST_DELAY) > 0) {
      throw new IllegalArgumentException(
          "A deadline must be longer than zero and at most 36500 days, was " + time);
    }
    return new ChosenOptions(key, priority, labels, delay, Optional.of(time));
  }

  /** Whether every database can hold it as text. */
  private static boolean isStorable(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }
}
