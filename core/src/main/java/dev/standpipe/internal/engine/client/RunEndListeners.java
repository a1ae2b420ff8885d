package dev.standpipe.internal.engine.client;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.internal.port.Store;
import dev.standpipe.spi.Event;
import java.util.UUID;

/** The ends of runs, as this process sees them. Thread-safe. */
public final class RunEndListeners {
  private final RunWaiters waiters;
  private final Events events;
  private final Runnable wakeDispatcher;

  /**
   * Tells these.
   *
   * @param waiters the callers that wait for runs in this process
   * @param events the listeners of this process
   * @param wakeDispatcher has this process's dispatcher see to what follows the ends of runs
   */
  public RunEndListeners(RunWaiters waiters, Events events, Runnable wakeDispatcher) {
    this.waiters = waiters;
    this.events = events;
    this.wakeDispatcher = wakeDispatcher;
  }

  /** Wakes the dispatcher of what follows. */
  public void followUp() {
    wakeDispatcher.run();
  }

  /** Tells those who wait, and those who listen. */
  public void announce(Event.RunFinished event, RunWaiters.KnownEnd end) {
    waiters.ended(event.run(), end);
    events.publish(event);
  }

  /** Goes on with ending a run that was stopped; announces it if that was all. */
  public boolean finishStopping(Store store, UUID run) {
    boolean ended = store.runs().finishStopping(run);
    if (ended) {
      followUp();
      ended(store.runQueries(), run);
    }
    return ended;
  }

  /** Announces a run that has ended just now, unless something is to be done about it first. */
  public void ended(RunQueries runs, UUID run) {
    runs.find(run)
        .filter(info -> info.status().isTerminal())
        .map(info -> new Event.RunFinished(run, info.pipeline(), info.status()))
        .ifPresent(event -> announce(event, RunWaiters.KnownEnd.SOMEHOW));
  }
}
