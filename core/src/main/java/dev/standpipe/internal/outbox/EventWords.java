package dev.standpipe.internal.outbox;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the parts of an event may be called. */
public final class EventWords {
  private static final int LONGEST = 255;
  private static final int LONGEST_VALUE = 4_000;
  private static final Pattern SINK = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]{0,99}");
  private static final Pattern HEADER = Pattern.compile("[a-z0-9]{1,20}");

  /** The attributes that CloudEvents itself defines, and the data. */
  private static final Set<String> TAKEN =
      Set.of(
          "id",
          "source",
          "specversion",
          "type",
          "subject",
          "time",
          "datacontenttype",
          "dataschema",
          "sequence",
          "data");

  private EventWords() {}

  /** The text, if it may be an event's type, subject, topic or dedupe key. */
  public static String require(String what, @Nullable String text) {
    if (text == null || text.isBlank() || text.length() > LONGEST || !isPlain(text)) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "The %s of an event has 1 to %d characters, not all blank, without control characters, was %s"
              .formatted(what, LONGEST, text == null ? "null" : '"' + shown(text) + '"'));
    }
    return text;
  }

  /** Refuses a header that is no attribute of a CloudEvent. */
  public static void requireHeader(@Nullable String name, @Nullable String value) {
    if (name == null || !HEADER.matcher(name).matches() || TAKEN.contains(name)) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "A header of an event is named with 1 to 20 lower-case letters and digits, and not as an attribute that CloudEvents defines, was \"%s\""
              .formatted(name == null ? "null" : shown(name)));
    }
    if (value == null || value.length() > LONGEST_VALUE || !isPlain(value)) {
      throw new StandpipeException(
          ErrorCode.INVALID_ARGUMENT,
          "The value of the header \"%s\" has at most %d characters, without control characters"
              .formatted(name, LONGEST_VALUE));
    }
  }

  /** The name, if a sink may be called so. */
  public static String requireSink(@Nullable String name) {
    if (name == null || !SINK.matcher(name).matches()) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING,
          "The name of a sink has 1 to 100 letters, digits and . _ : / -, and starts with a letter or a digit, was \"%s\""
              .formatted(name == null ? "null" : shown(name)));
    }
    return name;
  }

  private static boolean isPlain(String text) {
    return text.codePoints()
        .noneMatch(
            c ->
                Character.isISOControl(c)
                    || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }

  private static String shown(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }
}
