package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.port.Store;
import java.util.UUID;
import java.util.function.Consumer;

/** Goes on with ending runs that are marked as being canceled, and those they have called. */
public final class RunStopper {
  private final Store store;
  private final Consumer<UUID> interrupt;
  private final RunEndListeners ends;

  /**
   * Stops runs.
   *
   * @param interrupt interrupts the bodies of a run in this process
   * @param ends tells of runs that end
   */
  public RunStopper(Store store, Consumer<UUID> interrupt, RunEndListeners ends) {
    this.store = store;
    this.interrupt = interrupt;
    this.ends = ends;
  }

  /** Interrupts what runs of it here, ends it if nothing runs, and does so with those it called. */
  public void stop(UUID run) {
    interrupt.accept(run);
    ends.finishStopping(store, run);
    store.calls().children(run).forEach(this::stop);
  }
}
