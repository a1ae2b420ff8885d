package dev.standpipe.internal.engine.turn;

import dev.standpipe.internal.port.Settlement.TurnEntry;

/**
 * Where a loop is.
 *
 * @param turn the turn that it is at, from 1
 * @param oldest the oldest turn that is stored; the one it is at if none is
 */
public record TurnPlace(int turn, int oldest) {
  /** Where a loop begins. */
  public static final TurnPlace FIRST = new TurnPlace(1, 1);

  /** What the turn writes that hands this state on, if so many turns stay visible. */
  public TurnEntry entry(String state, int keep) {
    return new TurnEntry(turn, state, oldest, turn - keep);
  }

  /** Where the loop is once this turn of it is committed. */
  public static TurnPlace after(TurnEntry entry) {
    return new TurnPlace(entry.turn() + 1, Math.max(entry.trimFrom(), entry.trimTo() + 1));
  }
}
