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
 * Recovers the work of other processes: reaps processes whose lease ran out, ends runs whose
 * halting or canceling no process finished, and reports work that no process serves. Any process
 * may do so, at any time.
 */
final class Reaper implements PeriodicDuty {
  private static final int AT_ONCE = 100;

  /** Many runs may wait for bodies in other processes; a pass has other things to do. */
  private static final int MOST_PAGES = 10;

  private static final UUID FIRST = new UUID(0, 0);

  private final Store store;
  private final ProcessState processState;
  private final RunEndListeners ends;
  private final Runnable announce;
  private final Machine machine;
  private final Duration interval;
  private long reapedAt;
  private Set<Integer> reported = new HashSet<>();
  private UUID haltedUpTo = FIRST;

  Reaper(Store store, ProcessState processState, Maintenance.MaintenanceDeps deps) {
    this.store = store;
    this.processState = processState;
    this.ends = deps.ends();
    this.announce = deps.announce();
    this.machine = deps.machine();
    this.interval = deps.settings().lease().dividedBy(4);
    this.reapedAt = machine.nanoTime();
  }

  @Override
  public String name() {
    return "reaper";
  }

  @Override
  public Duration perform() {
    reapProcesses();
    finishStopping();
    reportUnserved();
    return RARELY;
  }

  /**
   * The work of a dead process, and work left half done, is recovered as soon as by a process that
   * is alone. All processes in turn look for the rest, which one look cannot see, as long as there
   * are tasks.
   */
  @Override
  public Optional<Duration> dueAfter(Seen seen, boolean news) {
    long now = machine.nanoTime();
    long since = now - reapedAt;
    boolean something = seen.expired() || seen.stopped();
    boolean anything = seen.busy() || seen.suspects();
    long shared = interval.toNanos() * Poller.sharing(seen);
    boolean due = (something && since >= interval.toNanos()) || (anything && since >= shared);
    reapedAt = due ? now : reapedAt;
    return PeriodicDuty.atOnceIf(due);
  }

  private void reapProcesses() {
    for (int i = 0; i < AT_ONCE; i++) {
      Optional<Reaped> reaped = store.processes().reap(processState.lease().id());
      if (reaped.isEmpty()) {
        return;
      }
      Reaped process = reaped.get();
      processState
          .events()
          .publish(new Event.ProcessReaped(process.id(), process.name(), process.tasks()));
      process.quarantined().forEach(this::publishQuarantined);
      announce.run();
    }
  }

  private void publishQuarantined(Crashed task) {
    Event.Step step =
        new Event.Step(task.run(), task.node(), task.index(), task.token(), task.attempt());
    processState.events().publish(new Event.StepQuarantined(step, task.crashes()));
  }

  /**
   * Some cannot be ended yet, since their bodies run elsewhere. So the next pass goes on behind the
   * last run of this one, and each has its turn, however many there are.
   */
  private void finishStopping() {
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

  /** Reports a lane once, and again only after a process has served it in between. */
  private void reportUnserved() {
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
