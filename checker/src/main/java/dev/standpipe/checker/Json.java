package dev.standpipe.checker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON of objects, arrays, strings and whole numbers: all that a definition has. */
final class Json {
  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** A map, a list, a string or a number. */
  static Object parse(String text) {
    Json json = new Json(text);
    Object value = json.value();
    json.blanks();
    if (json.at < text.length()) {
      throw json.unexpected();
    }
    return value;
  }

  private Object value() {
    return switch (peek()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw unexpected();
    };
  }

  private Integer number() {
    int from = at;
    while (Character.isDigit(current())) {
      at++;
    }
    return Integer.valueOf(text.substring(from, at));
  }

  private Map<String, Object> object() {
    Map<String, Object> object = new LinkedHashMap<>();
    at++;
    while (peek() != '}') {
      String key = string();
      expect(':');
      object.put(key, value());
      if (peek() != '}') {
        expect(',');
      }
    }
    at++;
    return object;
  }

  private List<Object> array() {
    List<Object> array = new ArrayList<>();
    at++;
    while (peek() != ']') {
      array.add(value());
      if (peek() != ']') {
        expect(',');
      }
    }
    at++;
    return array;
  }

  private String string() {
    expect('"');
    StringBuilder string = new StringBuilder();
    while (current() != '"') {
      char c = current();
      at++;
      string.append(c == '\\' ? escaped() : c);
    }
    at++;
    return string.toString();
  }

  private char escaped() {
    char c = current();
    at++;
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'u' -> {
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> c;
    };
  }

  private char peek() {
    blanks();
    return current();
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char current() {
    if (at >= text.length()) {
      throw unexpected();
    }
    return text.charAt(at);
  }

  private void expect(char c) {
    if (peek() != c) {
      throw unexpected();
    }
    at++;
  }

  private IllegalArgumentException unexpected() {
    return new IllegalArgumentException("Not understood at " + at + ": " + text);
  }
}
