package dev.standpipe.outbox;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * An event as a sink gets it.
 *
 * @param id the same in every delivery: a receiver that has seen it may drop a duplicate
 * @param place its place in the order of all events
 * @param topic its topic
 * @param subject what it is about
 * @param type what happened
 * @param payload what the emitter tells of it, as the codec wrote it: JSON, unless the codec
 *     encrypts
 * @param headers further attributes
 * @param createdAt when it was emitted, by the database's clock
 * @param origin the step that emitted it, if one did
 * @param delivery this delivery of it
 */
public record OutboxEvent(
    UUID id,
    long place,
    String topic,
    String subject,
    String type,
    String payload,
    Map<String, String> headers,
    Instant createdAt,
    Optional<Origin> origin,
    Delivery delivery) {

  /**
   * The step that emitted an event.
   *
   * @param run its run
   * @param node its node
   * @param index its element, or 0
   */
  public record Origin(UUID run, String node, int index) {}

  /**
   * A delivery.
   *
   * @param number 1 for the first try of a sink
   * @param at when it was tried, by the database's clock
   */
  public record Delivery(int number, Instant at) {}
}
