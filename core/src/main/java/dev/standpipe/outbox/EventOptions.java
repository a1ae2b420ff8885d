package dev.standpipe.outbox;

import dev.standpipe.internal.outbox.EventWords;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How an event is meant. Immutable; start from one of the factories and add to it. */
public final class EventOptions {
  private static final EventOptions NONE =
      new EventOptions(Optional.empty(), Optional.empty(), Optional.empty(), Map.of());

  private final Optional<String> subject;
  private final Optional<String> topic;
  private final Optional<String> dedupeKey;
  private final Map<String, String> headers;

  private EventOptions(
      Optional<String> subject,
      Optional<String> topic,
      Optional<String> dedupeKey,
      Map<String, String> headers) {
    this.subject = subject;
    this.topic = topic;
    this.dedupeKey = dedupeKey;
    this.headers = headers;
  }

  /** About the run, on the topic of its pipeline. */
  public static EventOptions none() {
    return NONE;
  }

  /** About this subject: events of one subject are published in the order of their commits. */
  public static EventOptions subject(String subject) {
    return NONE.withSubject(subject);
  }

  /** Emitted once for ever: a second event of the same type with this key is none. */
  public static EventOptions dedupeKey(String key) {
    return NONE.withDedupeKey(key);
  }

  /** On this topic. */
  public static EventOptions topic(String topic) {
    return NONE.withTopic(topic);
  }

  /** About this subject: events of one subject are published in the order of their commits. */
  public EventOptions withSubject(String about) {
    return new EventOptions(
        Optional.of(EventWords.require("subject", about)), topic, dedupeKey, headers);
  }

  /**
   * On this topic; the column {@code aggregatetype}. By default the name of the pipeline, and
   * {@code events} outside of a step.
   */
  public EventOptions withTopic(String on) {
    return new EventOptions(
        subject, Optional.of(EventWords.require("topic", on)), dedupeKey, headers);
  }

  /** Emitted once for ever: a second event of the same type with this key is none. */
  public EventOptions withDedupeKey(String key) {
    return new EventOptions(
        subject, topic, Optional.of(EventWords.require("dedupe key", key)), headers);
  }

  /**
   * A further attribute, such as {@code traceparent}.
   *
   * @param name lower-case letters and digits, 20 at most, as CloudEvents names attributes
   */
  public EventOptions withHeader(String name, String value) {
    EventWords.requireHeader(name, value);
    Map<String, String> more = new TreeMap<>(headers);
    more.put(name, value);
    return new EventOptions(subject, topic, dedupeKey, Map.copyOf(more));
  }

  /** What it is about. */
  public Optional<String> subject() {
    return subject;
  }

  /** Its topic. */
  public Optional<String> topic() {
    return topic;
  }

  /** What it is told from another event by. */
  public Optional<String> dedupeKey() {
    return dedupeKey;
  }

  /** Further attributes. */
  public Map<String, String> headers() {
    return headers;
  }
}
