package dev.standpipe.internal.engine;

import dev.standpipe.spi.Definitions.Unserved;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Processes.Crashed;
import dev.standpipe.spi.Processes.Reaped;
import dev.standpipe.spi.Store;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Puts right what others left behind: reaps processes whose lease ran out, ends runs whose halting
 * or canceling nobody finished, and reports work that nobody serves. Any process may, at any time.
 */
final class Sweeper {
  private static final int AT_ONCE = 100;

  private final Store store;
  private final Crew crew;
  private final Ends ends;
  private final Runnable ring;
  private final Duration interval;
  private Set<Integer> reported = new HashSet<>();

  Sweeper(Store store, Crew crew, Ends ends, Runnable ring, Duration lease) {
    this.store = store;
    this.crew = crew;
    this.ends = ends;
    this.ring = ring;
    this.interval = lease.dividedBy(4);
  }

  /** One pass; says how long to wait for the next. */
  Duration sweep() {
    reap();
    halt();
    report();
    return interval;
  }

  private void reap() {
    for (int i = 0; i < AT_ONCE; i++) {
      Optional<Reaped> reaped = store.processes().reap();
      if (reaped.isEmpty()) {
        return;
      }
      Reaped process = reaped.get();
      crew.events().publish(new Event.ProcessReaped(process.id(), process.name(), process.tasks()));
      process.quarantined().forEach(this::announce);
      ring.run();
    }
  }

  private void announce(Crashed task) {
    Event.Step step =
        new Event.Step(task.run(), task.node(), task.index(), task.token(), task.attempt());
    crew.events().publish(new Event.StepQuarantined(step, task.crashes()));
  }

  private void halt() {
    store.runs().halting(AT_ONCE).forEach(run -> ends.settle(store.runs(), run));
  }

  /** Once for each lane, until somebody has served it again. */
  private void report() {
    Set<Integer> unserved = new HashSet<>();
    for (Unserved lane : store.definitions().unserved()) {
      unserved.add(lane.lane());
      if (!reported.contains(lane.lane())) {
        crew.events().publish(new Event.WorkUnserved(lane.pipeline(), lane.hash()));
      }
    }
    reported = unserved;
  }
}
