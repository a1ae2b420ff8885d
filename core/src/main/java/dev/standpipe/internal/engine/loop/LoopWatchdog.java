package dev.standpipe.internal.engine.loop;

import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.spi.Event;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks after the loops of a process. One whose thread has died goes on with a new one. One whose
 * pass does not return is interrupted, which ends any wait for a pool, a lock or a listener; it is
 * not doubled, since two passes of one part at once could settle one try twice. If it does not heed
 * that either, the other duties of its loop go on without it. Thread-safe.
 */
public final class LoopWatchdog {
  private static final Duration INTERVAL = Duration.ofSeconds(1);

  /** Longer than any connection waits for an answer before it counts as dead. */
  private static final Duration STUCK = Duration.ofMinutes(2);

  private final Events events;
  private final Duration stuckAfter;
  private final List<EngineLoop> loops = new CopyOnWriteArrayList<>();
  private final Map<String, Duration> reported = new ConcurrentHashMap<>();

  public LoopWatchdog(Events events) {
    this(events, STUCK);
  }

  public LoopWatchdog(Events events, Duration stuckAfter) {
    this.events = events;
    this.stuckAfter = stuckAfter;
  }

  public void lookAfter(Collection<EngineLoop> more) {
    loops.addAll(new ArrayList<>(more));
  }

  /** One pass; says how long to wait for the next. */
  public Duration make() {
    for (EngineLoop loop : loops) {
      try {
        look(loop);
      } catch (OutOfMemoryError e) {
        // no thread to be had: the next round tries again, and the others need a look now
      }
    }
    return INTERVAL;
  }

  /** Looks after one. */
  public void look(EngineLoop loop) {
    if (loop.isDead()) {
      loop.restart();
      events.publish(new Event.PartRestarted(loop.name(), "its thread had died"));
      return;
    }
    Duration runs = loop.passRuns();
    Duration before = reported.getOrDefault(loop.name(), Duration.ZERO);
    if (runs.compareTo(before) < 0) {
      reported.remove(loop.name());
    } else if (runs.minus(before).compareTo(stuckAfter) >= 0) {
      String part = loop.running();
      reported.put(loop.name(), runs);
      loop.interrupt();
      events.publish(new Event.PartStuck(part, runs));
      if (!before.isZero() && loop.duties().size() > 1) {
        loop.restart();
        events.publish(new Event.PartRestarted(loop.name(), "it goes on without " + part));
      }
    }
  }
}
