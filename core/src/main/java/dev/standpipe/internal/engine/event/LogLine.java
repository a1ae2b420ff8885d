package dev.standpipe.internal.engine.event;

import dev.standpipe.info.StepError;
import dev.standpipe.spi.Event;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Locale;

/** An event as one line of {@code key=value}: its name, then the components of its record. */
final class LogLine {
  private LogLine() {}

  static String of(Event event) {
    StringBuilder line = new StringBuilder("event=").append(event.name());
    components(line, (Record) event);
    return line.toString();
  }

  private static void components(StringBuilder line, Record record) {
    for (RecordComponent component : record.getClass().getRecordComponents()) {
      Object value = value(component, record);
      if (value instanceof Event.Step step) {
        components(line, step);
      } else if (value instanceof StepError error) {
        add(line, "error_type", error.type());
        add(line, "error", error.message());
      } else {
        add(line, snake(component.getName()), String.valueOf(value));
      }
    }
  }

  private static void add(StringBuilder line, String key, String value) {
    line.append(' ').append(key).append('=');
    boolean plain = value.chars().noneMatch(c -> c == ' ' || c == '"' || c == '=' || breaks(c));
    if (plain && !value.isEmpty()) {
      line.append(value);
      return;
    }
    line.append('"');
    value
        .chars()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                line.append('\\').append((char) c);
              } else if (breaks(c)) {
                line.append(String.format(Locale.ROOT, "\\u%04x", c));
              } else {
                line.append((char) c);
              }
            });
    line.append('"');
  }

  /** Whether a terminal, or a reader of lines, may take it for something else than text. */
  private static boolean breaks(int c) {
    return Character.isISOControl(c) || c == 0x2028 || c == 0x2029;
  }

  private static String snake(String camel) {
    return camel.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  private static Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException("An event's components are public", e);
    }
  }
}
