package dev.standpipe.internal.engine.schedule;

import dev.standpipe.internal.engine.ProcessState;
import dev.standpipe.internal.engine.client.RunEndListeners;
import dev.standpipe.internal.engine.client.RunStopper;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Operator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Cancels the run of an earlier instant, and those it has called, as an operator would. */
public final class EarlierRuns {
  private static final long GRACE = TimeUnit.NANOSECONDS.toMicros(Operator.CANCEL_GRACE.toNanos());

  private final Store store;
  private final RunStopper stopper;

  public EarlierRuns(Store store, ProcessState processState, RunEndListeners ends) {
    this.store = store;
    this.stopper = new RunStopper(store, run -> processState.interrupt(Set.of(run)), ends);
  }

  /** Marks the run as being canceled; it ends as every canceled run does. */
  public void cancel(UUID run, String reason) {
    store.runs().cancel(run, GRACE, new Audited("scheduler", reason));
    stopper.stop(run);
  }
}
