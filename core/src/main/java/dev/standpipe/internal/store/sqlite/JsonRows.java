package dev.standpipe.internal.store.sqlite;

import dev.standpipe.internal.store.jdbc.Rows;
import org.jspecify.annotations.Nullable;

/** Writes a set of rows as a JSON array of arrays, which SQLite takes apart with json_each. */
final class JsonRows {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private JsonRows() {}

  static String write(Rows rows) {
    StringBuilder json = new StringBuilder(2 + rows.size() * rows.width() * 16);
    json.append('[');
    for (int row = 0; row < rows.size(); row++) {
      json.append(row == 0 ? "[" : ",[");
      for (int column = 0; column < rows.width(); column++) {
        if (column > 0) {
          json.append(',');
        }
        append(json, rows.value(row, column));
      }
      json.append(']');
    }
    return json.append(']').toString();
  }

  private static void append(StringBuilder json, @Nullable Object value) {
    if (value == null) {
      json.append("null");
    } else if (value instanceof Number number) {
      json.append(number.longValue());
    } else if (value instanceof Boolean flag) {
      json.append(flag ? '1' : '0');
    } else {
      quote(json, value.toString());
    }
  }

  private static void quote(StringBuilder json, String text) {
    json.append('"');
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= ' ' && c != '"' && c != '\\') {
        continue;
      }
      json.append(text, copied, i);
      copied = i + 1;
      if (c >= ' ') {
        json.append('\\').append(c);
      } else {
        json.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
      }
    }
    json.append(text, copied, text.length()).append('"');
  }
}
