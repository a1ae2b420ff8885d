package dev.standpipe.internal.engine;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Runs;
import java.util.UUID;

/** The ends of runs, as this process sees them. Thread-safe. */
final class Ends {
  private final Waiters waiters;
  private final Events events;
  private volatile Runnable follower = () -> {};

  Ends(Waiters waiters, Events events) {
    this.waiters = waiters;
    this.events = events;
  }

  /** Says who sees to what follows the ends of runs. */
  void connect(Runnable wakeFollower) {
    this.follower = wakeFollower;
  }

  /** Has somebody see to what follows. */
  void followUp() {
    follower.run();
  }

  /** Tells those who wait, and those who listen. */
  void announce(Event.RunFinished event, Waiters.End end) {
    waiters.ended(event.run(), end);
    events.publish(event);
  }

  /** Goes on with ending a run that was stopped; announces it if that was all. */
  boolean settle(Runs runs, UUID run) {
    boolean ended = runs.settle(run);
    if (ended) {
      followUp();
      ended(runs, run);
    }
    return ended;
  }

  /** Announces a run that has ended just now, unless something is to be done about it first. */
  void ended(Runs runs, UUID run) {
    runs.find(run)
        .filter(info -> info.status().isTerminal())
        .map(info -> new Event.RunFinished(run, info.pipeline(), info.status()))
        .ifPresent(event -> announce(event, Waiters.End.SOMEHOW));
  }
}
