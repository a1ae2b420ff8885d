package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.internal.port.Tasks.ClaimedBatch;
import dev.standpipe.internal.port.Tasks.LaneQueue;
import dev.standpipe.internal.port.Tasks.QueuePlace;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Where in each lane's queue the next claim goes on. A lane that gave all it was asked for is asked
 * from its place the next time; one whose end was reached, from the front. From time to time every
 * lane is asked from the front, for what has come in before its place: higher priorities, and
 * starts that committed late. A look from the front may be slow while old snapshots keep dead
 * entries there, so it is taken the rarer the more it adds to a claim. Not thread-safe.
 */
final class QueuePlaces {
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long FIRST_SLOW_LOOK = TimeUnit.MILLISECONDS.toNanos(5);
  private static final int SHARE_OF_TIME = 20;

  private final Map<Integer, QueuePlace> places = new HashMap<>();
  private final Set<Integer> due = new HashSet<>();
  private final Machine machine;
  private long lookedAt;
  private long lookTook;
  private long claimTook;

  QueuePlaces(Machine machine) {
    this.machine = machine;
    this.lookedAt = machine.nanoTime();
  }

  /** From where to claim from each of these lanes, in their order. */
  List<LaneQueue> of(List<Integer> lanes) {
    long now = machine.nanoTime();
    if (now - lookedAt >= Math.max(BETWEEN_LOOKS, SHARE_OF_TIME * lookTook)) {
      lookedAt = now;
      due.addAll(places.keySet());
    }
    return lanes.stream().map(lane -> new LaneQueue(lane, from(lane))).toList();
  }

  private QueuePlace from(int lane) {
    return due.contains(lane) ? QueuePlace.FRONT : places.getOrDefault(lane, QueuePlace.FRONT);
  }

  /** Notes what a claim from these queues brought, of so many that it asked for. */
  void claimed(List<LaneQueue> queues, ClaimedBatch batch, int limit, long took) {
    time(queues.stream().anyMatch(queue -> due.contains(queue.lane())), took);
    Map<Integer, QueuePlace> last = new HashMap<>();
    for (Claimed task : batch.tasks()) {
      last.put(task.lane(), new QueuePlace(task.priority(), task.seq()));
    }
    boolean allAsked = batch.tasks().size() < limit;
    for (LaneQueue queue : queues) {
      int lane = queue.lane();
      QueuePlace place = last.get(lane);
      if (place == null && !allAsked) {
        continue; // it may not have been asked: its look is still due
      }
      due.remove(lane);
      if (place != null && batch.more().contains(lane)) {
        places.put(lane, place);
      } else {
        places.remove(lane);
      }
    }
  }

  /**
   * What a look counts for at most doubles with each: one that a stalled machine made slow is no
   * reason to take the next one late.
   */
  private void time(boolean looked, long took) {
    if (looked) {
      long more = Math.max(0, took - claimTook);
      lookTook = Math.min(more, Math.max(FIRST_SLOW_LOOK, 2 * lookTook));
    } else {
      claimTook = (3 * claimTook + took) / 4;
    }
  }
}
