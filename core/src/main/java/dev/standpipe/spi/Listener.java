package dev.standpipe.spi;

/**
 * Hears what happens in this process, as it happens. Called on the engine's own threads: return
 * quickly and do not block. What a listener throws is logged and otherwise ignored.
 */
@FunctionalInterface
public interface Listener {
  /** Hears of one event. */
  void on(Event event);
}
