package dev.standpipe.internal.engine.event;

import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.spi.Event;
import dev.standpipe.spi.Listener;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Tells the log and the listeners what happens. Events of every step are logged at debug level,
 * events for an operator at info, failures at warn. Thread-safe.
 */
public final class Events implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger("dev.standpipe.events");

  private final List<Listener> listeners;

  /** Tells these listeners, besides the log, on the publishing thread. */
  public Events(List<? extends Listener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  /** Tells these listeners of the user's, besides the log, each on a thread of its own. */
  public static Events toUsers(List<Listener> listeners) {
    return new Events(listeners.stream().map(ListenerQueue::new).toList());
  }

  /** Whether a listener wants the events of every step; if none does, they are not made. */
  public boolean perStep() {
    return !listeners.isEmpty() || LOG.isDebugEnabled();
  }

  /** Tells them. */
  public void publish(Event event) {
    LOG.atLevel(level(event)).log(() -> LogLine.of(event));
    for (Listener listener : listeners) {
      try {
        listener.on(event);
      } catch (Throwable e) { // half-way through a commit is no place to stop
        LOG.warn("event=listener_failed name={} error={}", event.name(), ErrorText.text(e));
      }
    }
  }

  /** Delivers the queued events to the listeners; no event is delivered later. */
  @Override
  public void close() {
    for (Listener listener : listeners) {
      if (listener instanceof ListenerQueue queue) {
        queue.close();
      }
    }
  }

  private static Level level(Event event) {
    if (event instanceof Event.LeaseAcquired
        || event instanceof Event.ExecutionStarted
        || event instanceof Event.ExecutionSucceeded
        || event instanceof Event.TurnFinished
        || event instanceof Event.StepReleased
        || event instanceof Event.StepSnoozed
        || event instanceof Event.RetryScheduled
        || event instanceof Event.RunFinished) {
      return Level.DEBUG;
    }
    return event instanceof Event.ProcessStarted
            || event instanceof Event.ProcessStopped
            || event instanceof Event.ChildStarted
            || event instanceof Event.DatabaseBack
            || event instanceof Event.SinkBack
            || event instanceof Event.SuspectClaimed
        ? Level.INFO
        : Level.WARN;
  }
}
