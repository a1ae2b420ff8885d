package dev.standpipe.internal.engine.claim;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.ServedPipelines;
import dev.standpipe.internal.engine.Settings;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.lease.ProcessLease;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Claimed;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
public final class SuspectClaimer implements PeriodicDuty {
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(1);

  /** Even a process that is never idle holds a suspect for every so many bodies. */
  private static final int BODIES_PER_SUSPECT = 4;

  private final Tasks tasks;
  private final ProcessState processState;
  private final BodyDispatcher dispatcher;
  private final ServedPipelines servedPipelines;
  private final Settings settings;
  private final Machine machine;
  private final Map<Attempt, Integer> together =
      new HashMap<>(); // what each was claimed to be one of
  private boolean waiting;
  private boolean alone;
  private long waitingSince;
  private Duration wait = SHORTEST_WAIT;

  public SuspectClaimer(
      Tasks tasks,
      ProcessState processState,
      BodyDispatcher dispatcher,
      ServedPipelines servedPipelines,
      Settings settings,
      Machine machine) {
    this.tasks = tasks;
    this.processState = processState;
    this.dispatcher = dispatcher;
    this.servedPipelines = servedPipelines;
    this.settings = settings;
    this.machine = machine;
  }

  @Override
  public String name() {
    return "suspects";
  }

  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    return PeriodicDuty.atOnceIf(news && seen.suspects());
  }

  /** Goes on while there is one in hand, or was: that it has ended must be seen, too. */
  @Override
  public Duration perform() {
    boolean before = holdsSuspect();
    Duration next = poll();
    boolean nothing = !before && !holdsSuspect();
    return nothing && next.compareTo(settings.pollInterval()) >= 0 ? RARELY : next;
  }

  private boolean holdsSuspect() {
    return processState.inFlight().attempts().stream().anyMatch(Attempt::isSuspect);
  }

  private Duration poll() {
    forgetSettled();
    if (waiting && isAlone()) {
      waiting = false;
      dispatcher.dispatch(tasks, List.copyOf(together.keySet()));
    }
    int room = room();
    List<Integer> lanes = processState.capacity().open(servedPipelines.lanes());
    boolean able =
        processState.lease().isTrusted() && !processState.isDraining() && !lanes.isEmpty();
    if (room > 0 && able) {
      List<Attempt> claimed = claim(lanes, room);
      if (!claimed.isEmpty()) {
        begin(claimed.stream().filter(Attempt::isQueued).toList());
        return SHORTEST_WAIT;
      }
    }
    return together.isEmpty() ? settings.pollInterval() : longer();
  }

  /** How many more suspects those that are held allow, and this process has room for. */
  private int room() {
    int fair = Math.max(1, settings.concurrency() / BODIES_PER_SUSPECT) - together.size();
    int free = Math.min(settings.concurrency() - together.size(), processState.capacity().room());
    int allowed =
        together.values().stream().mapToInt(Integer::intValue).min().orElse(Integer.MAX_VALUE)
            - together.size();
    return alone ? 0 : Math.min(allowed, Math.max(fair, free));
  }

  private List<Attempt> claim(List<Integer> lanes, int room) {
    ProcessLease lease = processState.lease();
    int held = together.size();
    try {
      return processState
          .inFlight()
          .moving(() -> hold(lease, tasks.claimSuspects(lease.id(), lanes, held, room)));
    } catch (RuntimeException | Error e) { // whatever failed, the claim may have taken effect
      processState.doubt();
      throw e;
    }
  }

  private List<Attempt> hold(ProcessLease lease, List<Claimed> claimed) {
    processState.capacity().reserveBeyond(claimed.size());
    int size = together.size() + claimed.size();
    List<Attempt> attempts = new ArrayList<>();
    for (Claimed task : claimed) {
      Attempt attempt = Attempt.of(lease.id(), servedPipelines.pipeline(task.lane()), task);
      processState.inFlight().add(attempt);
      together.put(attempt, size);
      attempts.add(attempt);
      wait = SHORTEST_WAIT;
      if (!task.running()) {
        processState.giveBack(attempt);
      }
    }
    return attempts;
  }

  private void begin(List<Attempt> attempts) {
    boolean last =
        attempts.size() == 1
            && together.getOrDefault(attempts.get(0), 0) == 1
            && attempts.get(0).crashes + 1 >= limit(attempts.get(0));
    for (Attempt attempt : attempts) {
      if (processState.events().perStep()) {
        processState.events().publish(new Event.LeaseAcquired(attempt.step(), attempt.owner));
      }
      processState
          .events()
          .publish(new Event.SuspectClaimed(attempt.step(), attempt.crashes, last));
    }
    if (last) {
      setApart(attempts.get(0));
    } else {
      dispatcher.dispatch(tasks, attempts);
    }
  }

  private int limit(Attempt attempt) {
    return attempt.definition().crashLimit().orElse(settings.crashLimit());
  }

  private void setApart(Attempt suspect) {
    alone = true;
    waiting = true;
    waitingSince = machine.nanoTime();
    processState.capacity().setApart(true);
    processState.inFlight().attempts().stream()
        .filter(other -> other != suspect && other.isQueued())
        .forEach(processState::giveBack);
  }

  private boolean isAlone() {
    return processState.capacity().reserved() == 1
        || machine.nanoTime() - waitingSince >= settings.lease().toNanos();
  }

  private void forgetSettled() {
    boolean some =
        together
            .keySet()
            .removeIf(attempt -> !processState.inFlight().attempts().contains(attempt));
    if (some && together.isEmpty()) {
      waiting = false;
      alone = false;
      processState.capacity().setApart(false);
      processState.madeRoom();
    }
  }

  private Duration longer() {
    Duration now = wait;
    Duration doubled = wait.multipliedBy(2);
    wait = doubled.compareTo(settings.pollInterval()) < 0 ? doubled : settings.pollInterval();
    return now;
  }
}
