package dev.standpipe.bench.raw;

import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What became of a held task.
 *
 * @param held the task
 * @param value the result, as it is stored
 * @param next the step that takes the task over, if one does
 * @param spawn how many tasks there are then, the one taken over among them
 * @param elements the values of a step that was taken apart; a step for each
 * @param join the step that waits for this one and others, if one does; without it and without
 *     {@code next} the run ends
 * @param need how many it waits for
 */
record Outcome(
    Held held,
    String value,
    @Nullable String next,
    int spawn,
    List<String> elements,
    @Nullable String join,
    int need) {
  /** A step that hands its task on. */
  static Outcome handsOn(Held held, String value, String next) {
    return new Outcome(held, value, next, 1, List.of(), null, 0);
  }

  /** A step that hands its task on to the first of some branches. */
  static Outcome branches(Held held, String value, int branches) {
    return new Outcome(held, value, "branch-0", branches, List.of(), null, 0);
  }

  /** A step that is taken apart. */
  static Outcome spreads(Held held, List<String> elements, String next) {
    String count = Integer.toString(elements.size());
    return new Outcome(held, count, next, elements.size(), elements, null, 0);
  }

  /** A step that others wait for. */
  static Outcome arrives(Held held, String value, String join, int need) {
    return new Outcome(held, value, null, 0, List.of(), join, need);
  }

  /** The last step. */
  static Outcome ends(Held held, String value) {
    return new Outcome(held, value, null, 0, List.of(), null, 0);
  }

  boolean isSpread() {
    return !elements.isEmpty();
  }

  /** Where the result is kept: elements take the places from 0 on. */
  int index() {
    return isSpread() ? -1 : held.index();
  }

  /** The tasks this process holds once it is committed, but for a join. */
  List<Held> successors() {
    if (next == null) {
      return List.of();
    }
    return IntStream.range(0, spawn).mapToObj(this::successor).toList();
  }

  private Held successor(int i) {
    return new Held(
        held.run(),
        i == 0 ? held.task() : held.task() + i,
        i == 0 ? held.token() + 1 : 1,
        isSpread() || spawn == 1 ? String.valueOf(next) : "branch-" + i,
        isSpread() ? i : 0,
        isSpread() ? elements.get(i) : value);
  }
}
