package dev.standpipe.spi;

/**
 * Hears what happens in this process, in the order in which it happened. Each listener is called on
 * a thread of its own, one event at a time, a moment after the event: it delays no step. One that
 * does not keep up misses events, which is logged as {@code events_dropped}. What a listener throws
 * is logged and otherwise ignored.
 */
@FunctionalInterface
public interface Listener {
  /** Hears of one event. */
  void on(Event event);
}
