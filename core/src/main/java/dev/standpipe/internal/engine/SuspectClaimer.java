package dev.standpipe.internal.engine;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.Claimed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Takes suspects in groups: steps that two or more processes have died with. Most of them only had
 * a bad neighbour or a bad host, so a process takes as many at once as it has room for. If it dies
 * with a group, those of the group come back to be taken in groups of half the size, until the one
 * that kills its process is by itself; only then is a death counted against it (decision 023).
 *
 * <p>A suspect by itself whose next crash would be its last is run alone: the process gives back
 * what it has not begun, takes nothing else and waits for its other bodies to end, for as long as a
 * lease at most. So it is quarantined for what it does itself.
 */
final class SuspectClaimer {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  /** Even a process that is never idle holds a suspect for every so many bodies. */
  private static final int BODIES_PER_SUSPECT = 4;

  private final Tasks tasks;
  private final Crew crew;
  private final Catalogue catalogue;
  private final Settings settings;
  private final Machine machine;
  private final Map<Work, Integer> together = new HashMap<>(); // what each was claimed to be one of
  private boolean waiting;
  private boolean alone;
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
    forgetSettled();
    if (waiting && isAlone()) {
      waiting = false;
      crew.dispatch(tasks, List.copyOf(together.keySet()));
    }
    int room = room();
    List<Integer> lanes = crew.hold().open(catalogue.lanes());
    boolean able = crew.membership().isTrusted() && !crew.isDraining() && !lanes.isEmpty();
    if (room > 0 && able) {
      List<Work> claimed = claim(lanes, room);
      if (!claimed.isEmpty()) {
        begin(claimed.stream().filter(Work::isQueued).toList());
        return SHORTEST_WAIT;
      }
    }
    return together.isEmpty() ? settings.pollInterval() : longer();
  }

  /** How many more suspects those that are held allow, and this process has room for. */
  private int room() {
    int fair = Math.max(1, settings.concurrency() / BODIES_PER_SUSPECT) - together.size();
    int free = Math.min(settings.concurrency() - together.size(), crew.hold().room());
    int allowed =
        together.values().stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE)
            - together.size();
    return alone ? 0 : Math.min(allowed, Math.max(fair, free));
  }

  private List<Work> claim(List<Integer> lanes, int room) {
    Membership membership = crew.membership();
    int held = together.size();
    try {
      return crew.hold()
          .moving(() -> hold(membership, tasks.claimSuspects(membership.id(), lanes, held, room)));
    } catch (RuntimeException | Error e) { // whatever failed, the claim may have taken effect
      crew.doubt();
      throw e;
    }
  }

  private List<Work> hold(Membership membership, List<Claimed> claimed) {
    crew.hold().reserveBeyond(claimed.size());
    int size = together.size() + claimed.size();
    List<Work> works = new ArrayList<>();
    for (Claimed task : claimed) {
      Work work = Work.of(membership.id(), catalogue.pipeline(task.lane()), task);
      crew.hold().add(work);
      together.put(work, size);
      works.add(work);
      wait = SHORTEST_WAIT;
      if (!task.running()) {
        crew.giveBack(work);
      }
    }
    return works;
  }

  private void begin(List<Work> works) {
    boolean last =
        works.size() == 1
            && together.getOrDefault(works.get(0), 0) == 1
            && works.get(0).crashes + 1 >= limit(works.get(0));
    for (Work work : works) {
      if (crew.events().perStep()) {
        crew.events().publish(new Event.LeaseAcquired(work.step(), work.owner));
      }
      crew.events().publish(new Event.SuspectClaimed(work.step(), work.crashes, last));
    }
    if (last) {
      setApart(works.get(0));
    } else {
      crew.dispatch(tasks, works);
    }
  }

  private int limit(Work work) {
    return work.definition().crashLimit().orElse(settings.crashLimit());
  }

  private void setApart(Work suspect) {
    alone = true;
    waiting = true;
    waitingSince = machine.nanoTime();
    crew.hold().setApart(true);
    crew.hold().works().stream()
        .filter(other -> other != suspect && other.isQueued())
        .forEach(crew::giveBack);
  }

  private boolean isAlone() {
    return crew.hold().size() == 1
        || machine.nanoTime() - waitingSince >= settings.lease().toNanos();
  }

  private void forgetSettled() {
    boolean some = together.keySet().removeIf(work -> !crew.hold().works().contains(work));
    if (some && together.isEmpty()) {
      waiting = false;
      alone = false;
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
