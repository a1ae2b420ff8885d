package dev.standpipe;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How a run is started. Immutable; each method returns a changed copy.
 *
 * <pre>{@code RunOptions.key("order-17").priority(5).label("customer", "acme")}</pre>
 */
public final class RunOptions {
  private static final RunOptions NONE =
      new RunOptions(Optional.empty(), 0, Map.of(), Duration.ZERO);
  private static final int LONGEST_KEY = 255;
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  private final Optional<String> key;
  private final int priority;
  private final Map<String, String> labels;
  private final Duration delay;

  private RunOptions(
      Optional<String> key, int priority, Map<String, String> labels, Duration delay) {
    this.key = key;
    this.priority = priority;
    this.labels = labels;
    this.delay = delay;
  }

  /** No key, priority 0, no labels, no delay. */
  public static RunOptions none() {
    return NONE;
  }

  /**
   * Makes the start idempotent: a second start of the same pipeline with this key returns the first
   * run if its input is the same and throws {@link DuplicateKeyException} if it is not.
   */
  public static RunOptions key(String key) {
    if (key.isBlank() || key.length() > LONGEST_KEY || !isStorable(key)) {
      throw new IllegalArgumentException(
          "A run key has 1 to "
              + LONGEST_KEY
              + " characters, not all blank, without NUL and without half surrogate pairs");
    }
    return new RunOptions(Optional.of(key), 0, Map.of(), Duration.ZERO);
  }

  /** Higher runs sooner, from −1000 to 1000; the default is 0. */
  public RunOptions priority(int priority) {
    if (priority < -1000 || priority > 1000) {
      throw new IllegalArgumentException("A priority is from -1000 to 1000, not " + priority);
    }
    return new RunOptions(key, priority, labels, delay);
  }

  /** Adds a label, to find the run by. */
  public RunOptions label(String name, String value) {
    if (name.isBlank() || !isStorable(name) || !isStorable(value)) {
      throw new IllegalArgumentException(
          "A label has a name, and neither NUL nor half surrogate pairs in name or value");
    }
    var more = new TreeMap<>(labels);
    more.put(name, value);
    return new RunOptions(key, priority, Map.copyOf(more), delay);
  }

  /** Starts the first steps only after this time, by the database's clock. */
  public RunOptions delay(Duration delay) {
    if (delay.isNegative() || delay.compareTo(LONGEST_DELAY) > 0) {
      throw new IllegalArgumentException("A delay is from zero to 36500 days, not " + delay);
    }
    return new RunOptions(key, priority, labels, delay);
  }

  /** The key, if one was given. */
  public Optional<String> key() {
    return key;
  }

  /** The priority. */
  public int priority() {
    return priority;
  }

  /** The labels. */
  public Map<String, String> labels() {
    return labels;
  }

  /** The delay before the first steps. */
  public Duration delay() {
    return delay;
  }

  /** Whether every database can hold it as text. */
  private static boolean isStorable(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }
}
