package dev.standpipe.conformance;

import static dev.standpipe.conformance.EngineFixture.PATIENCE;
import static org.awaitility.Awaitility.await;

import dev.standpipe.spi.Event;
import dev.standpipe.spi.Listener;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A listener that keeps all it hears, in order. A process tells its listeners on a thread of its
 * own, so what has just happened may not be heard yet: tests wait for it with {@link #awaitAny}.
 * Thread-safe.
 */
public final class Heard implements Listener {
  private final List<Event> events = new ArrayList<>();

  /** Has heard nothing yet. */
  public Heard() {}

  @Override
  public synchronized void on(Event event) {
    events.add(event);
  }

  /** All events so far. */
  public synchronized List<Event> all() {
    return List.copyOf(events);
  }

  /** The events of one kind so far. */
  public <E extends Event> List<E> all(Class<E> kind) {
    return all().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  /** The events of one kind, as soon as there is one. */
  public <E extends Event> List<E> awaitAny(Class<E> kind) {
    await().atMost(PATIENCE).until(() -> !all(kind).isEmpty());
    return all(kind);
  }

  /** The names of the events of one run, in order. */
  public List<String> namesOf(UUID run) {
    return all().stream().filter(event -> isOf(run, event)).map(Event::name).toList();
  }

  private static boolean isOf(UUID run, Event event) {
    if (event instanceof Event.LeaseAcquired e) {
      return e.step().run().equals(run);
    } else if (event instanceof Event.ExecutionStarted e) {
      return e.step().run().equals(run);
    } else if (event instanceof Event.ExecutionSucceeded e) {
      return e.step().run().equals(run);
    } else if (event instanceof Event.ExecutionFailed e) {
      return e.step().run().equals(run);
    } else if (event instanceof Event.RetryScheduled e) {
      return e.step().run().equals(run);
    } else if (event instanceof Event.StaleWriteBlocked e) {
      return e.step().run().equals(run);
    } else if (event instanceof Event.StepReleased e) {
      return e.step().run().equals(run);
    }
    return event instanceof Event.RunFinished finished && finished.run().equals(run);
  }
}
