package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.Claimed;
import dev.standpipe.spi.Tasks.Share;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Takes tasks that are ready, as many as there is room for, shared evenly among the lanes that have
 * any: one pipeline's backlog does not starve another's.
 */
final class Claimer {
  private static final int BUSY_WEIGHT = 16;
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final Tasks tasks;
  private final Crew crew;
  private final Catalogue catalogue;
  private final Duration longestWait;
  private final Machine machine;
  private final QueuePlaces queue;
  private final Strays strays = new Strays();
  private Set<Integer> busyLanes = new HashSet<>();
  private Duration wait = SHORTEST_WAIT;
  private long claimedAt;
  private int turn;

  Claimer(Tasks tasks, Crew crew, Catalogue catalogue, Duration pollInterval, Machine machine) {
    this.tasks = tasks;
    this.crew = crew;
    this.catalogue = catalogue;
    this.longestWait = pollInterval;
    this.machine = machine;
    this.queue = new QueuePlaces(machine);
    this.claimedAt = machine.nanoTime();
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration poll() {
    Membership membership = crew.membership();
    if (!membership.isTrusted() || crew.isDraining()) {
      return longestWait;
    }
    Hold hold = crew.hold();
    if (hold.open(catalogue.lanes()).isEmpty()) {
      return longestWait;
    }
    int room = crew.strain().bearable(hold.room(), hold.limit());
    if (room == 0) {
      return longestWait;
    }
    int wanted = isWorthwhile(room, hold.limit()) ? hold.reserve(room) : 0;
    if (wanted == 0) {
      return PATIENCE;
    }
    claimedAt = machine.nanoTime();
    List<Work> works;
    try {
      works = hold.moving(() -> claim(membership, wanted));
    } catch (StoreException e) {
      hold.unreserve(wanted);
      crew.doubt();
      throw e;
    }
    crew.dispatch(tasks, works);
    strays.settle(tasks, crew);
    return next(works.size());
  }

  /**
   * Few tasks at a time cost as much as many: waits until a quarter of the limit is free, but not
   * for long, since the bodies that keep the rest busy may do so for hours.
   */
  private boolean isWorthwhile(int room, int limit) {
    return room * 4 >= limit || machine.nanoTime() - claimedAt >= PATIENCE.toNanos();
  }

  private List<Work> claim(Membership membership, int wanted) {
    long startedAt = machine.nanoTime();
    List<Share> shares = shares(wanted);
    List<Claimed> claimed = shares.isEmpty() ? List.of() : tasks.claim(membership.id(), shares);
    queue.claimed(shares, claimed, machine.nanoTime() - startedAt);
    crew.hold().unreserve(wanted - claimed.size());
    List<Work> works = new ArrayList<>(claimed.size());
    Set<Integer> lanes = new HashSet<>();
    for (Claimed task : claimed) {
      if (strays.take(membership.id(), catalogue.pipeline(task.lane()), task)) {
        crew.hold().unreserve(1);
        continue;
      }
      Work work = Work.of(membership.id(), catalogue.pipeline(task.lane()), task);
      lanes.add(task.lane());
      crew.hold().add(work);
      announce(work, membership);
      if (task.running()) {
        works.add(work);
      } else {
        crew.giveBack(work);
      }
    }
    busyLanes = lanes;
    crew.moreReady(shares.stream().anyMatch(share -> QueuePlaces.mayHaveMore(share, claimed)));
    return works;
  }

  private void announce(Work work, Membership membership) {
    if (crew.events().perStep()) {
      crew.events().publish(new Event.LeaseAcquired(work.step(), membership.id()));
    }
  }

  /**
   * Lanes that had work the last time get most of the room, the others enough to show that they
   * have some again. Each pass begins with another lane, so that none is always the last.
   */
  private List<Share> shares(int wanted) {
    List<Integer> lanes = new ArrayList<>(crew.hold().open(catalogue.lanes()));
    Collections.rotate(lanes, turn++);
    int weights = lanes.stream().mapToInt(this::weight).sum();
    List<Share> shares = new ArrayList<>();
    int left = wanted;
    for (int i = 0; i < lanes.size() && left > 0; i++) {
      int weight = weight(lanes.get(i));
      int share = Math.max(1, left * weight / weights);
      shares.add(new Share(lanes.get(i), share, queue.after(lanes.get(i))));
      left -= share;
      weights -= weight;
    }
    return shares;
  }

  private int weight(int lane) {
    return busyLanes.isEmpty() || busyLanes.contains(lane) ? BUSY_WEIGHT : 1;
  }

  private Duration next(int claimed) {
    if (claimed > 0) {
      wait = SHORTEST_WAIT;
    }
    if (crew.isMoreReady()) {
      return Duration.ZERO;
    }
    Duration now = wait;
    wait = wait.multipliedBy(2).compareTo(longestWait) < 0 ? wait.multipliedBy(2) : longestWait;
    return now;
  }
}
