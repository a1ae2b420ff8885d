package dev.standpipe.internal.coordinate;

import org.jspecify.annotations.Nullable;

/**
 * How a step ended, as far as what follows depends on it.
 *
 * @param fate whether it ran, was skipped, or is lost to those that depend on it
 * @param first of an expand, how many elements it had yielded before
 * @param elements of an expand, how many elements it yielded at last
 * @param arm of a divert, the arm it took
 */
public record Ending(Fate fate, int first, int elements, @Nullable String arm) {
  /** It was skipped. */
  public static final Ending SKIPPED = new Ending(Fate.SKIPPED, 0, 0, null);

  /** It has failed, or something it depends on has; and that is not to be ignored. */
  public static final Ending LOST = new Ending(Fate.LOST, 0, 0, null);

  /** It made its value; or it has failed, and is to be ignored. */
  public static final Ending SUCCEEDED = new Ending(Fate.RUNS, 0, 0, null);

  /** An expand yielded so many elements. */
  public static Ending expanded(int elements) {
    return expanded(0, elements);
  }

  /** An expand yielded so many more, after those it had yielded before. */
  public static Ending expanded(int first, int elements) {
    return new Ending(Fate.RUNS, first, elements, null);
  }

  /** A divert took this arm. */
  public static Ending diverted(String arm) {
    return new Ending(Fate.RUNS, 0, 0, arm);
  }

  /** What becomes of a step that does not run. */
  static Ending of(Skip skip) {
    return skip.lost() ? LOST : SKIPPED;
  }

  boolean ran() {
    return fate == Fate.RUNS;
  }
}
