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
  private volatile Runnable runEndDispatcher = () -> {};

  public RunEndListeners(RunWaiters waiters, Events events) {
    this.waiters = waiters;
    this.events = events;
  }

  /** Says who sees to what follows the ends of runs. */
  public void connect(Runnable wakeRunEndDispatcher) {
    this.runEndDispatcher = wakeRunEndDispatcher;
  }

  /** Has somebody see to what follows. */
  public void followUp() {
    runEndDispatcher.run();
  }

  /** Tells those who wait, and those who listen. */
  public void announce(Event.RunFinished event, RunWaiters.End end) {
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
        .ifPresent(event -> announce(event, RunWaiters.End.SOMEHOW));
  }
}
