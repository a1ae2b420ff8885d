package dev.standpipe.internal.engine.maintain;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.loop.PeriodicDuty;
import dev.standpipe.internal.port.RunQueries.Unwanted;
import dev.standpipe.internal.port.Store;
import java.time.Duration;
import java.util.UUID;

/**
 * Interrupts the bodies of runs that are being canceled (by any process), are out of time or were
 * ended early by a step, and ends such runs when their bodies have ended or their grace is over. If
 * another process has ended a run first and cut its bodies off, they are interrupted, too: the
 * database says which bodies those are, since a grace may be shorter than the time between two
 * looks. It asks only while this process holds a task; the reaper sees to the tasks of a dead
 * process.
 */
final class Canceler implements PeriodicDuty {
  private final Store store;
  private final ProcessState processState;
  private final RunEndListeners ends;
  private final Duration interval;

  Canceler(Store store, ProcessState processState, RunEndListeners ends, Duration interval) {
    this.store = store;
    this.processState = processState;
    this.ends = ends;
    this.interval = interval;
  }

  @Override
  public String name() {
    return "canceler";
  }

  @Override
  public Duration perform() {
    if (!processState.inFlight().attempts().isEmpty()) {
      UUID me = processState.lease().id();
      Unwanted unwanted = store.runQueries().unwanted(me);
      processState.interrupt(unwanted.runs());
      if (!unwanted.tries().isEmpty()) {
        processState.interruptTries(unwanted.tries());
        store.runs().forgetCutOff(me, unwanted.tries());
      }
      unwanted.runs().forEach(run -> ends.finishStopping(store, run));
    }
    return interval;
  }
}
