package dev.standpipe.internal.engine;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.Batch;
import dev.standpipe.spi.Tasks.Claimed;
import dev.standpipe.spi.Tasks.LaneQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes tasks that are ready, as many as there is room for, shared evenly among the lanes that have
 * any: one pipeline's backlog does not starve another's, and a pipeline without work takes nothing
 * of the room.
 */
final class Claimer {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(5);
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final Tasks tasks;
  private final Crew crew;
  private final Catalogue catalogue;
  private final Duration longestWait;
  private final Machine machine;
  private final QueuePlaces places;
  private final LaneTurns turns;
  private final Strays strays = new Strays();
  private Duration wait = SHORTEST_WAIT;
  private long claimedAt;

  Claimer(Tasks tasks, Crew crew, Catalogue catalogue, Duration pollInterval, Machine machine) {
    this.tasks = tasks;
    this.crew = crew;
    this.catalogue = catalogue;
    this.longestWait = pollInterval;
    this.machine = machine;
    this.places = new QueuePlaces(machine);
    this.turns = new LaneTurns(crew.membership().id());
    this.claimedAt = machine.nanoTime();
  }

  /** One pass; says how long to wait for the next, unless woken. */
  Duration poll() {
    Membership membership = crew.membership();
    if (!membership.isTrusted() || crew.isDraining()) {
      return longestWait;
    }
    Hold hold = crew.hold();
    List<Integer> lanes = hold.open(catalogue.lanes());
    if (lanes.isEmpty()) {
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
      works = hold.moving(() -> claim(membership, lanes, wanted));
    } catch (RuntimeException | Error e) { // whatever failed, the claim may have taken effect
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

  private List<Work> claim(Membership membership, List<Integer> lanes, int wanted) {
    List<Integer> order = turns.order(lanes);
    List<LaneQueue> queues = places.of(order);
    long startedAt = machine.nanoTime();
    Batch batch = tasks.claim(membership.id(), queues, wanted);
    places.claimed(queues, batch, wanted, machine.nanoTime() - startedAt);
    turns.claimed(order, batch.tasks(), wanted);
    crew.hold().unreserve(wanted - batch.tasks().size());
    List<Work> works = new ArrayList<>(batch.tasks().size());
    for (Claimed task : batch.tasks()) {
      if (strays.take(membership.id(), catalogue.pipeline(task.lane()), task)) {
        crew.hold().unreserve(1);
        continue;
      }
      Work work = Work.of(membership.id(), catalogue.pipeline(task.lane()), task);
      crew.hold().add(work);
      announce(work, membership);
      if (task.running()) {
        works.add(work);
      } else {
        crew.giveBack(work);
      }
    }
    crew.moreReady(!batch.more().isEmpty());
    return works;
  }

  private void announce(Work work, Membership membership) {
    if (crew.events().perStep()) {
      crew.events().publish(new Event.LeaseAcquired(work.step(), membership.id()));
    }
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
