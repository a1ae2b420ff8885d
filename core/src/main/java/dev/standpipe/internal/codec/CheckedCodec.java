package dev.standpipe.internal.codec;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses text that some database could not store or give back: too long, a NUL character, half a
 * surrogate pair. Found here, it is a failed step with a readable error, and not a batch that
 * cannot be committed.
 */
public final class CheckedCodec implements PayloadCodec {
  private final PayloadCodec codec;
  private final int maxBytes;

  /** Checks what this codec writes against this limit. */
  public CheckedCodec(PayloadCodec codec, int maxBytes) {
    this.codec = codec;
    this.maxBytes = maxBytes;
  }

  @Override
  public String encode(@Nullable Object value, Type type) {
    String text = codec.encode(value, type);
    checkSize(text);
    checkCharacters(text);
    return text;
  }

  @Override
  public @Nullable Object decode(String text, Type type) {
    return codec.decode(text, type);
  }

  @Override
  public String fingerprint(@Nullable Object value, Type type) {
    return codec.fingerprint(value, type);
  }

  @Override
  public List<String> problems(Type type) {
    return codec.problems(type);
  }

  private void checkSize(String text) {
    boolean surelyFits = text.length() <= maxBytes / 3;
    if (!surelyFits) {
      int bytes = text.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > maxBytes) {
        throw new InvalidValueException(
            "A value of "
                + bytes
                + " bytes is over the limit of "
                + maxBytes
                + ": store it elsewhere and pass a reference, or raise maxValueBytes",
            null);
      }
    }
  }

  private static void checkCharacters(String text) {
    if (text.indexOf('\0') >= 0 || hasEscapedNul(text)) {
      throw new InvalidValueException(
          "A value contains the character \\u0000, which databases cannot store in text", null);
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          throw new InvalidValueException(
              "A value contains half a surrogate pair (\\u"
                  + Integer.toHexString(c)
                  + "), which is not valid text",
              null);
        }
        i++;
      }
    }
  }

  private static boolean hasEscapedNul(String json) {
    for (int at = json.indexOf("\\u0000"); at >= 0; at = json.indexOf("\\u0000", at + 1)) {
      int backslashes = 0;
      while (at - backslashes - 1 >= 0 && json.charAt(at - backslashes - 1) == '\\') {
        backslashes++;
      }
      if (backslashes % 2 == 0) {
        return true;
      }
    }
    return false;
  }
}
