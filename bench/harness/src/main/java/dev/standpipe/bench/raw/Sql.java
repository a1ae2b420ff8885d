package dev.standpipe.bench.raw;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The statements, each in a file of its own. */
enum Sql {
  TABLES,
  START,
  CLAIM,
  SETTLE_CHAIN,
  SETTLE_GRAPH,
  VALUES;

  private final String text = read(name().toLowerCase(Locale.ROOT) + ".sql");

  String text() {
    return text;
  }

  private static String read(String file) {
    try (InputStream in = Sql.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("No " + file + " next to " + Sql.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
