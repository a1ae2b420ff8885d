package dev.standpipe.outbox;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * An event as a CloudEvent, version 1.0. Its source is {@code /standpipe/} and its topic, its
 * subject, type, id and time are the event's own, headers are extension attributes, and {@code
 * sequence} has the event's place.
 *
 * @see <a href="https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md">the
 *     specification</a>
 */
public final class CloudEvent {
  /** The media type of {@link #structured()}. */
  public static final String STRUCTURED_TYPE = "application/cloudevents+json; charset=utf-8";

  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();
  private static final String HEX = "0123456789ABCDEF";

  private final OutboxEvent event;

  private CloudEvent(OutboxEvent event) {
    this.event = event;
  }

  /** This event. */
  public static CloudEvent of(OutboxEvent event) {
    return new CloudEvent(event);
  }

  /** Its attributes, without its data. */
  public Map<String, String> attributes() {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("specversion", "1.0");
    attributes.put("id", event.id().toString());
    attributes.put("source", "/standpipe/" + encoded(event.topic(), "-._~/:"));
    attributes.put("type", event.type());
    attributes.put("subject", event.subject());
    attributes.put("time", event.createdAt().toString());
    attributes.put("sequence", "%019d".formatted(event.place()));
    attributes.putAll(event.headers());
    return attributes;
  }

  /** Attributes and data in one JSON object. The payload stands in it as the codec wrote it. */
  public String structured() {
    StringBuilder json = new StringBuilder("{");
    attributes()
        .forEach(
            (name, value) ->
                json.append(quoted(name)).append(':').append(quoted(value)).append(','));
    boolean isJson = isJson();
    json.append("\"datacontenttype\":")
        .append(quoted(contentType()))
        .append(",\"data\":")
        .append(isJson ? event.payload() : quoted(event.payload()));
    return json.append('}').toString();
  }

  /**
   * The HTTP headers of the binary mode: a {@code ce-} header for each attribute, and the content
   * type. The body is the payload.
   */
  public Map<String, String> binaryHeaders() {
    Map<String, String> headers = new LinkedHashMap<>();
    attributes().forEach((name, value) -> headers.put("ce-" + name, encoded(value, null)));
    headers.put("content-type", contentType());
    return headers;
  }

  /** {@code application/json}, unless the codec wrote something else. */
  public String contentType() {
    return isJson() ? "application/json" : "text/plain; charset=utf-8";
  }

  private boolean isJson() {
    try {
      return Optional.ofNullable(MAPPER.readTree(event.payload()))
          .filter(tree -> !tree.isMissingNode())
          .isPresent();
    } catch (JacksonException e) {
      return false;
    }
  }

  private static String quoted(String text) {
    return MAPPER.writeValueAsString(text);
  }

  /** Percent-encodes what a header may not have, or all but letters, digits and these. */
  private static String encoded(String text, @Nullable String plain) {
    StringBuilder encoded = new StringBuilder();
    for (byte one : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (one & 0xff);
      boolean kept =
          plain == null
              ? c > ' ' && c < 0x7f && c != '"' && c != '%'
              : c < 0x7f && (Character.isLetterOrDigit(c) || plain.indexOf(c) >= 0);
      if (kept) {
        encoded.append(c);
      } else {
        encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
      }
    }
    return encoded.toString();
  }
}
