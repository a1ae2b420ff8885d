package dev.standpipe.internal.engine;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Listener;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells the log and the listeners what happens. What happens for every step is logged at debug
 * level, what an operator wants to see at info, what went wrong at warn.
 */
public final class Events {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");

  private final List<Listener> listeners;

  /** Tells these listeners, besides the log. */
  public Events(List<Listener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** Whether anybody wants the events of every step; making them for nobody would be a waste. */
  boolean perStep() {
    return !listeners.isEmpty() || LOG.isDebugEnabled();
  }

  /** Tells them. */
  public void publish(Event event) {
    LOG.atLevel(level(event)).log(() -> LogLine.of(event));
    for (Listener listener : listeners) {
      try {
        listener.on(event);
      } catch (RuntimeException | Error e) { // half-way through a commit is no place to stop
        LOG.warn("event=listener_failed name={}", event.name(), e);
      }
    }
  }

  private static Level level(Event event) {
    if (event instanceof Event.LeaseAcquired
        || event instanceof Event.ExecutionStarted
        || event instanceof Event.ExecutionSucceeded
        || event instanceof Event.StepReleased
        || event instanceof Event.RetryScheduled
        || event instanceof Event.RunFinished) {
      return Level.DEBUG;
    }
    return event instanceof Event.ProcessStarted
            || event instanceof Event.ProcessStopped
            || event instanceof Event.ChildStarted
            || event instanceof Event.DatabaseBack
            || event instanceof Event.SuspectClaimed
        ? Level.INFO
        : Level.WARN;
  }
}
