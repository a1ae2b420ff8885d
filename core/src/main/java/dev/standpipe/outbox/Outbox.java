package dev.standpipe.outbox;

import dev.standpipe.error.UnknownSinkException;
import java.util.List;
import java.util.UUID;

/**
 * The outbox, to see and to change. What is changed, by whom and why, is kept in the table {@code
 * outbox_audit}, in the same transaction. Thread-safe.
 */
public interface Outbox {
  /** The sinks, with their lag. */
  List<SinkInfo> sinks();

  /**
   * Events that a sink has still to get, in their order.
   *
   * @throws UnknownSinkException if there is no such sink
   */
  List<OutboxEvent> pending(String sink, int limit);

  /**
   * Events that a sink has refused for too often, in their order.
   *
   * @throws UnknownSinkException if there is no such sink
   */
  List<DeadLetter> deadLetters(String sink, int limit);

  /**
   * Has a dead letter tried again, as if it had never failed.
   *
   * @return {@code false} if the sink has no such dead letter
   */
  boolean replay(String sink, UUID event, String reason);

  /**
   * Gives a dead letter up for good.
   *
   * @return {@code false} if the sink has no such dead letter
   */
  boolean discard(String sink, UUID event, String reason);

  /**
   * Stops publishing to a sink; its events wait. What is being published at this moment is noted.
   *
   * @return {@code false} if it was paused already
   */
  boolean pause(String sink, String reason);

  /**
   * Goes on publishing to a sink.
   *
   * @return {@code false} if it was not paused
   */
  boolean resume(String sink, String reason);

  /**
   * Removes a sink that no program declares any more, with all that it has still to get. A program
   * that declares it adds it again when it starts.
   */
  void remove(String sink, String reason);
}
