package dev.standpipe.internal.store.postgres;

import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/**
 * The characters that a database can hold. One that is not UTF-8 refuses a text with any other
 * character, and with it whatever is to be committed together.
 */
final class ServerEncoding {
  /** Holds every character. */
  static final ServerEncoding UTF8 = new ServerEncoding("UTF8", null);

  private final String name;
  private final @Nullable Charset charset;

  private ServerEncoding(String name, @Nullable Charset charset) {
    this.name = name;
    this.charset = charset;
  }

  /** The encoding of the database at the other end, which the driver was told when it connected. */
  static ServerEncoding of(Connection connection) throws SQLException {
    String name = connection.unwrap(PGConnection.class).getParameterStatus("server_encoding");
    return name == null ? UTF8 : named(name);
  }

  /**
   * By PostgreSQL's name for it. All of them have ASCII; what else Java's namesake of one has, the
   * server's may lack.
   */
  static ServerEncoding named(String name) {
    return switch (name.toUpperCase(Locale.ROOT)) {
      case "UTF8", "UNICODE" -> UTF8;
      case "SQL_ASCII" -> new ServerEncoding(name, null); // keeps bytes as they are
      case "LATIN1" -> new ServerEncoding(name, StandardCharsets.ISO_8859_1);
      default -> new ServerEncoding(name, StandardCharsets.US_ASCII);
    };
  }

  /** What to know about a database that is not UTF-8. */
  Optional<String> caveat() {
    if (this == UTF8) {
      return Optional.empty();
    }
    return Optional.of(
        charset == null
            ? "The database's encoding is %s, which checks and converts nothing: every client must use UTF-8. Better use a database with the encoding UTF8."
                .formatted(name)
            : "The database's encoding is %s: a step that returns, or a call that brings, a character outside of it fails, and errors are recorded with all but the plainest characters escaped. Use a database with the encoding UTF8."
                .formatted(name));
  }

  /** Escapes the characters of these texts that the database cannot hold, as Java writes them. */
  void fit(@Nullable Object[] texts) {
    if (charset == null) {
      return;
    }
    CharsetEncoder encoder = charset.newEncoder();
    for (int i = 0; i < texts.length; i++) {
      if (texts[i] instanceof String text && !encoder.canEncode(text)) {
        texts[i] = escaped(encoder, text);
      }
    }
  }

  private static String escaped(CharsetEncoder encoder, String text) {
    StringBuilder escaped = new StringBuilder(text.length() + 16);
    text.chars()
        .forEach(
            c -> {
              if (encoder.canEncode((char) c)) {
                escaped.append((char) c);
              } else {
                escaped.append(String.format(Locale.ROOT, "\\u%04x", c));
              }
            });
    return escaped.toString();
  }
}
