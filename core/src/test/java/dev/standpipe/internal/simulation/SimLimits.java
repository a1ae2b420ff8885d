package dev.standpipe.internal.simulation;

import java.util.List;

/**
 * How large a schedule may get. A smaller one that fails too is easier to read.
 *
 * @param moves how many nodes a graph has at most, about
 * @param runs how many runs there are at most
 * @param steps how long faults go on
 * @param faults how many faults there are at most
 */
record SimLimits(int moves, int runs, int steps, int faults) {
  static final SimLimits FULL = new SimLimits(9, 4, 150, 12);

  /** Those that are smaller in one respect. */
  List<SimLimits> smaller() {
    return List.of(
        new SimLimits(moves, runs, steps, faults / 2),
        new SimLimits(moves, runs, steps, faults - 1),
        new SimLimits(moves, Math.max(1, runs / 2), steps, faults),
        new SimLimits(Math.max(1, moves / 2), runs, steps, faults),
        new SimLimits(Math.max(1, moves - 1), runs, steps, faults),
        new SimLimits(moves, runs, steps / 2, faults),
        new SimLimits(moves, runs, steps * 9 / 10, faults));
  }

  static SimLimits parse(String text) {
    String[] part = text.split(",", -1);
    return new SimLimits(
        Integer.parseInt(part[0]),
        Integer.parseInt(part[1]),
        Integer.parseInt(part[2]),
        Integer.parseInt(part[3]));
  }

  @Override
  public String toString() {
    return moves + "," + runs + "," + steps + "," + faults;
  }
}
