package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.loop.Machine;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.Definitions.Unserved;
import dev.standpipe.internal.port.PendingWork.Seen;
import dev.standpipe.internal.port.Processes.Crashed;
import dev.standpipe.internal.port.Processes.Reaped;
import dev.standpipe.internal.port.Store;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Puts right what others left behind: reaps processes whose lease ran out, ends runs whose halting
 * or canceling nobody finished, and reports work that nobody serves. Any process may, at any time.
 */
final class Reaper implements PeriodicDuty {
  private static final int AT_ONCE = 100;

  /** Many runs may wait for bodies in other processes; the sweep has other things to do. */
  private static final int MOST_PAGES = 10;

  private static final UUID FIRST = new UUID(0, 0);

  private final Store store;
  private final ProcessState processState;
  private final RunEndListeners ends;
  private final Runnable ring;
  private final Machine machine;
  private final Duration interval;
  private long sweptAt;
  private Set<Integer> reported = new HashSet<>();
  private UUID haltedUpTo = FIRST;

  Reaper(Store store, ProcessState processState, Maintenance.Deps means) {
    this.store = store;
    this.processState = processState;
    this.ends = means.ends();
    this.ring = means.announce();
    this.machine = means.machine();
    this.interval = means.settings().lease().dividedBy(4);
    this.sweptAt = machine.nanoTime();
  }

  @Override
  public String name() {
    return "reaper";
  }

  @Override
  public Duration perform() {
    reap();
    halt();
    report();
    return RARELY;
  }

  /**
   * What somebody died with or left half done is put right as soon as by a process that is alone.
   * Whatever cannot be seen at a glance is looked for by all in turn, as long as there are tasks.
   */
  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    long now = machine.nanoTime();
    long since = now - sweptAt;
    boolean something = seen.expired() || seen.stopped();
    boolean anything = seen.busy() || seen.suspects();
    long shared = interval.toNanos() * Poller.sharing(seen);
    boolean due = (something && since >= interval.toNanos()) || (anything && since >= shared);
    sweptAt = due ? now : sweptAt;
    return PeriodicDuty.atOnceIf(due);
  }

  private void reap() {
    for (int i = 0; i < AT_ONCE; i++) {
      Optional<Reaped> reaped = store.processes().reap(processState.lease().id());
      if (reaped.isEmpty()) {
        return;
      }
      Reaped process = reaped.get();
      processState
          .events()
          .publish(new Event.ProcessReaped(process.id(), process.name(), process.tasks()));
      process.quarantined().forEach(this::announce);
      ring.run();
    }
  }

  private void announce(Crashed task) {
    Event.Step step =
        new Event.Step(task.run(), task.node(), task.index(), task.token(), task.attempt());
    processState.events().publish(new Event.StepQuarantined(step, task.crashes()));
  }

  /**
   * Some cannot be ended yet, since their bodies run elsewhere. So the next pass goes on behind the
   * last run of this one, and each has its turn, however many there are.
   */
  private void halt() {
    for (int page = 0; page < MOST_PAGES; page++) {
      List<UUID> runs = store.runQueries().halting(haltedUpTo, AT_ONCE);
      for (UUID run : runs) {
        haltedUpTo = run; // one that cannot be helped must not be in the way of the others
        ends.finishStopping(store, run);
      }
      if (runs.size() < AT_ONCE) {
        haltedUpTo = FIRST;
        return;
      }
    }
  }

  /** Once for each lane, until somebody has served it again. */
  private void report() {
    Set<Integer> unserved = new HashSet<>();
    for (Unserved lane : store.definitions().unserved()) {
      unserved.add(lane.lane());
      if (!reported.contains(lane.lane())) {
        processState.events().publish(new Event.WorkUnserved(lane.pipeline(), lane.hash()));
      }
    }
    reported = unserved;
  }
}
