package dev.standpipe.internal.outbox;

import dev.standpipe.internal.Labels;
import dev.standpipe.outbox.EventOptions;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * An event to be stored.
 *
 * @param id its id, made when it was emitted
 * @param topic its topic
 * @param subject what it is about
 * @param type what happened
 * @param payload what is told of it, encoded
 * @param headers further attributes, a JSON object
 * @param dedupeKey what it is told from another event by, if it is
 */
public record NewEvent(
    UUID id,
    String topic,
    String subject,
    String type,
    String payload,
    String headers,
    @Nullable String dedupeKey) {
  /** How many parts there are that relays share. The tables know the number. */
  private static final int SLOTS = 64;

  /**
   * An event with these options.
   *
   * @param subject what it is about if the options do not say
   * @param topic its topic if the options do not say
   */
  public static NewEvent of(
      UUID id, String type, String payload, EventOptions options, String subject, String topic) {
    return new NewEvent(
        id,
        options.topic().orElse(topic),
        options.subject().orElse(subject),
        EventWords.require("type", type),
        payload,
        Labels.write(options.headers()),
        options.dedupeKey().orElse(null));
  }

  /** The part its subject belongs to: the same in every process and every release. */
  public short slot() {
    CRC32 hash = new CRC32();
    hash.update(subject.getBytes(StandardCharsets.UTF_8));
    return (short) (hash.getValue() % SLOTS);
  }

  /** About how many bytes there are to write. */
  public long bytes() {
    return 0L + payload.length() + headers.length() + subject.length() + type.length();
  }
}
