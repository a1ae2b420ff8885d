package dev.standpipe.internal.engine;

import java.util.List;

/**
 * How a try ended, before what follows is worked out.
 *
 * @param work the try
 * @param elapsedNanos how long the body ran
 * @param ending how it ended
 */
record Outcome(Work work, long elapsedNanos, Ending ending) {
  /** How many values there are to write. */
  int weight() {
    if (ending instanceof Returned returned) {
      return Math.max(1, returned.values().size());
    }
    return ending instanceof Yielded yielded ? Math.max(1, yielded.values().size()) : 1;
  }

  /** Whether there are values to write, which a database may refuse. */
  boolean hasValues() {
    return ending instanceof Returned || ending instanceof Yielded;
  }

  /** How a try ended. */
  sealed interface Ending permits Returned, Yielded, Skipped, Threw, GivenBack {}

  /** The body returned; its value, or its elements', encoded. */
  record Returned(List<String> values) implements Ending {}

  /**
   * An expand has yielded some of its elements.
   *
   * @param first how many it had yielded before
   * @param values the elements, encoded
   * @param last whether there are no more
   */
  record Yielded(int first, List<String> values, boolean last) implements Ending {}

  /** The body was not run: when the step's turn came, it was to be skipped. */
  record Skipped() implements Ending {}

  /** The body threw, or ran out of time. */
  record Threw(Throwable error, boolean timedOut) implements Ending {}

  /** The body was not run, or not to its end, through no fault of its own. */
  record GivenBack() implements Ending {}
}
