package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.port.Tasks.Claimed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * In which order lanes are asked for tasks. If more of them have work than there is room for, the
 * next claim begins behind the last that gave some, so that all get their turn. A process begins
 * somewhere: processes that live for a few claims only do not all leave the same lanes for later.
 * Not thread-safe.
 */
final class LaneTurns {
  private final UUID process;
  private boolean begun;
  private int behind;

  LaneTurns(UUID process) {
    this.process = process;
  }

  /** These lanes, which are sorted, in the order of their turns. */
  List<Integer> order(List<Integer> lanes) {
    if (!begun) {
      begun = true;
      behind = lanes.get(Math.floorMod(process.hashCode(), lanes.size()));
    }
    int found = Collections.binarySearch(lanes, behind);
    int first = found >= 0 ? found + 1 : -found - 1;
    List<Integer> order = new ArrayList<>(lanes.subList(first, lanes.size()));
    order.addAll(lanes.subList(0, first));
    return order;
  }

  /** Notes what a claim in this order brought, of so many that it asked for. */
  void claimed(List<Integer> order, List<Claimed> tasks, int limit) {
    Set<Integer> gave = tasks.stream().map(Claimed::lane).collect(Collectors.toSet());
    List<Integer> inTurn = order.stream().filter(gave::contains).toList();
    if (inTurn.isEmpty()) {
      behind = order.get(0);
    } else {
      behind = inTurn.get(inTurn.size() >= limit ? inTurn.size() - 1 : 0);
    }
  }
}
