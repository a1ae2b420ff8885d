package dev.standpipe.bench.contract;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Writes flat JSON objects, so that contenders need no library for it. */
final class Json {
  private Json() {}

  /** An object of numbers, texts and arrays of whole numbers. */
  static String object(Map<String, ?> members) {
    return members.entrySet().stream()
        .map(member -> text(member.getKey()) + ":" + value(member.getValue()))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String value(Object value) {
    if (value instanceof long[] numbers) {
      return Arrays.toString(numbers);
    }
    return value instanceof Number ? value.toString() : text(value.toString());
  }

  private static String text(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c < ' ') {
        quoted.append(String.format("\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }
}
