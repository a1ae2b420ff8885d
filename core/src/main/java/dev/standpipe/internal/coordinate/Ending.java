package dev.standpipe.internal.coordinate;

import org.jspecify.annotations.Nullable;

/**
 * How a step ended, as far as what follows depends on it.
 *
 * @param skipped whether it was skipped
 * @param first of an expand, how many elements it had yielded before
 * @param elements of an expand, how many elements it yielded at last
 * @param arm of a divert, the arm it took
 */
public record Ending(boolean skipped, int first, int elements, @Nullable String arm) {
  /** It was skipped. */
  public static final Ending SKIPPED = new Ending(true, 0, 0, null);

  /** It made its value. */
  public static final Ending SUCCEEDED = new Ending(false, 0, 0, null);

  /** An expand yielded so many elements. */
  public static Ending expanded(int elements) {
    return expanded(0, elements);
  }

  /** An expand yielded so many more, after those it had yielded before. */
  public static Ending expanded(int first, int elements) {
    return new Ending(false, first, elements, null);
  }

  /** A divert took this arm. */
  public static Ending diverted(String arm) {
    return new Ending(false, 0, 0, arm);
  }
}
