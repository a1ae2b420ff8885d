package dev.standpipe.internal.engine;

import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.Claimed;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes suspects, one at a time: steps that two or more processes have died with. So a step that
 * kills its process cannot take another suspect with it, and those that only had bad neighbours
 * come through.
 *
 * <p>A suspect whose next crash would be its last is run alone: the process gives back what it has
 * not begun, takes nothing else and waits for its other bodies to end, for as long as a lease at
 * most. So it is quarantined for what it does itself.
 */
final class SuspectClaimer {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  private final Tasks tasks;
  private final Crew crew;
  private final Catalogue catalogue;
  private final Settings settings;
  private final Machine machine;
  private @Nullable Work suspect;
  private boolean waiting;
  private long waitingSince;
  private Duration wait = SHORTEST_WAIT;

  SuspectClaimer(Tasks tasks, Crew crew, Catalogue catalogue, Settings settings, Machine machine) {
    this.tasks = tasks;
    this.crew = crew;
    this.catalogue = catalogue;
    this.settings = settings;
    this.machine = machine;
  }

  /** One pass; says how long to wait for the next. */
  Duration poll() {
    Work mine = suspect;
    if (mine != null && crew.hold().works().contains(mine)) {
      if (waiting && isAlone()) {
        begin(mine);
      }
      return longer();
    }
    over();
    List<Integer> lanes = crew.hold().open(catalogue.lanes());
    if (!crew.membership().isTrusted() || crew.isDraining() || lanes.isEmpty()) {
      return settings.pollInterval();
    }
    Optional<Work> claimed = claim(lanes);
    claimed.filter(Work::isQueued).ifPresent(this::take);
    return claimed.isPresent() ? SHORTEST_WAIT : settings.pollInterval();
  }

  private Optional<Work> claim(List<Integer> lanes) {
    Membership membership = crew.membership();
    crew.hold().reserveBeyond();
    try {
      Optional<Work> claimed =
          crew.hold()
              .moving(
                  () ->
                      tasks
                          .claimSuspect(membership.id(), lanes)
                          .map(task -> hold(membership, task)));
      if (claimed.isEmpty()) {
        crew.hold().unreserve(1);
      }
      return claimed;
    } catch (StoreException e) {
      crew.hold().unreserve(1);
      crew.doubt();
      throw e;
    }
  }

  private Work hold(Membership membership, Claimed task) {
    Work work = Work.of(membership.id(), catalogue.pipeline(task.lane()), task);
    crew.hold().add(work);
    suspect = work;
    wait = SHORTEST_WAIT;
    if (!task.running()) {
      crew.giveBack(work);
    }
    return work;
  }

  private void take(Work work) {
    boolean last = work.crashes + 1 >= limit(work);
    if (crew.events().perStep()) {
      crew.events().publish(new Event.LeaseAcquired(work.step(), work.owner));
    }
    crew.events().publish(new Event.SuspectClaimed(work.step(), work.crashes, last));
    if (!last) {
      begin(work);
      return;
    }
    waiting = true;
    waitingSince = machine.nanoTime();
    crew.hold().setApart(true);
    crew.hold().works().stream()
        .filter(other -> other != work && other.isQueued())
        .forEach(crew::giveBack);
  }

  private int limit(Work work) {
    return work.definition().crashLimit().orElse(settings.crashLimit());
  }

  private boolean isAlone() {
    return crew.hold().size() == 1
        || machine.nanoTime() - waitingSince >= settings.lease().toNanos();
  }

  private void begin(Work work) {
    waiting = false;
    crew.dispatch(tasks, List.of(work));
  }

  private void over() {
    if (suspect != null) {
      suspect = null;
      waiting = false;
      crew.hold().setApart(false);
      crew.madeRoom();
    }
  }

  private Duration longer() {
    Duration now = wait;
    Duration doubled = wait.multipliedBy(2);
    wait = doubled.compareTo(settings.pollInterval()) < 0 ? doubled : settings.pollInterval();
    return now;
  }
}
