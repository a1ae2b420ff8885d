package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.loop.Duty;
import dev.standpipe.internal.engine.loop.EngineLoop;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.PendingWork.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Performs periodic duties, each when it is due, on two threads: what a process does for all on
 * one, what it does for itself on the other. A duty that fails or hangs holds up none of the others
 * for long ({@link EngineLoop}). Duties are added before the loops are made; from then on any
 * thread may wake them.
 */
final class MaintenanceRunner {
  private final Events events;
  private final Map<PeriodicDuty, Duty> duties = new LinkedHashMap<>();
  private final List<Duty> forAll = new ArrayList<>();
  private final List<Duty> forItself = new ArrayList<>();

  MaintenanceRunner(Events events) {
    this.events = events;
  }

  /** Adds what any process may do for all. */
  void addForAll(PeriodicDuty duty) {
    forAll.add(paced(duty));
  }

  /** Adds what concerns this process alone. */
  void addForItself(PeriodicDuty duty) {
    forItself.add(paced(duty));
  }

  private Duty paced(PeriodicDuty duty) {
    Duty paced = new Duty(duty.name(), duty::perform, events);
    duties.put(duty, paced);
    return paced;
  }

  /** A loop for each thread. */
  List<EngineLoop> loops() {
    EngineLoop maintenance = new EngineLoop("maintenance", forAll);
    return forItself.isEmpty()
        ? List.of(maintenance)
        : List.of(maintenance, new EngineLoop("upkeep", forItself));
  }

  /** Has those performed that what was seen is a reason for. */
  void tell(Seen seen, boolean news) {
    for (PeriodicDuty duty : duties.keySet()) {
      duty.dueAfter(seen, news).ifPresent(time -> wakeIn(duty, time));
    }
  }

  /** Has a duty performed soon. */
  void wake(PeriodicDuty duty) {
    wakeIn(duty, Duration.ZERO);
  }

  /** Has a duty performed when this time has passed, if that is sooner than it would be. */
  void wakeIn(PeriodicDuty duty, Duration time) {
    Duty paced = Objects.requireNonNull(duties.get(duty), duty.name());
    if (time.isZero()) {
      paced.wake();
    } else {
      paced.wakeIn(time);
    }
  }
}
