package dev.standpipe.internal.store;

import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ClaimedBatch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a claim gathers: its tasks, and which lanes gave their whole share of the limit. The first
 * lanes get one more than the others where the limit cannot be shared evenly. Not thread-safe.
 */
final class ClaimShares {
  private final int limit;
  private final List<Claimed> tasks = new ArrayList<>();
  private final Map<Integer, Integer> given = new HashMap<>();
  private final Set<Integer> more = new HashSet<>();
  private int lanes = 1;

  ClaimShares(int limit) {
    this.limit = limit;
  }

  /** Says how many lanes share the limit. */
  void among(int number) {
    lanes = number;
  }

  /** How many tasks the lane may give whose turn it is after so many others. */
  int of(int turn) {
    return limit / lanes + (turn < limit % lanes ? 1 : 0);
  }

  void add(Claimed task) {
    tasks.add(task);
    given.merge(task.lane(), 1, Integer::sum);
  }

  /** Notes that a lane may have more, however few it gave. */
  void more(int lane) {
    more.add(lane);
  }

  /** All of it. A lane that gave as many as the smallest share may have more. */
  ClaimedBatch batch() {
    given.forEach(
        (lane, count) -> {
          if (count >= limit / lanes) {
            more.add(lane);
          }
        });
    return new ClaimedBatch(tasks, more);
  }
}
