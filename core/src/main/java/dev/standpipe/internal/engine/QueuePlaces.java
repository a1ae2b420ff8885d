package dev.standpipe.internal.engine;

import dev.standpipe.spi.Tasks.Claimed;
import dev.standpipe.spi.Tasks.Place;
import dev.standpipe.spi.Tasks.Share;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Where in each lane's queue the next claim goes on. A claim that got all it asked for is followed
 * by one from its place; from time to time, and whenever the end is reached, one starts from the
 * front, for what has come in before: higher priorities, and starts that committed late. A look
 * from the front may be slow while old snapshots keep dead entries there, so it is taken the rarer
 * the longer it takes.
 */
final class QueuePlaces {
  private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final int SHARE_OF_TIME = 20;

  private final Map<Integer, Place> places = new HashMap<>();
  private final Machine machine;
  private long lookedAt;
  private long lookTook;

  QueuePlaces(Machine machine) {
    this.machine = machine;
    this.lookedAt = machine.nanoTime();
  }

  /** Behind which place to claim from this lane. */
  Place after(int lane) {
    boolean due =
        machine.nanoTime() - lookedAt >= Math.max(BETWEEN_LOOKS, SHARE_OF_TIME * lookTook);
    if (due) {
      places.clear();
    }
    return places.getOrDefault(lane, Place.FRONT);
  }

  /** Notes what a claim brought. Tasks are in the order of their lanes' queues. */
  void claimed(List<Share> shares, List<Claimed> tasks, long took) {
    if (shares.stream().anyMatch(share -> share.after().equals(Place.FRONT))) {
      lookedAt = machine.nanoTime();
      lookTook = took;
    }
    for (Share share : shares) {
      if (mayHaveMore(share, tasks)) {
        tasks.stream()
            .filter(task -> task.lane() == share.lane())
            .reduce((earlier, later) -> later)
            .ifPresent(last -> places.put(share.lane(), new Place(last.priority(), last.seq())));
      } else {
        places.remove(share.lane());
      }
    }
  }

  /**
   * Whether a lane gave all it was asked for, or all up to the end of a bundle: it may have more.
   */
  static boolean mayHaveMore(Share share, List<Claimed> tasks) {
    int given = 0;
    boolean bundled = false;
    for (Claimed task : tasks) {
      if (task.lane() == share.lane()) {
        given++;
        bundled |= task.bundled();
      }
    }
    return bundled || given >= share.limit();
  }
}
