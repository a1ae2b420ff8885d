package dev.standpipe.internal.engine.outbox;

import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.Sink;
import java.util.List;
import java.util.Optional;

/** Has a sink take events. */
@FunctionalInterface
public interface SinkCaller {
  /** Calls it; returns why it has not taken all of them, or nothing if it has. */
  Optional<String> publish(Sink sink, List<OutboxEvent> events);
}
