package dev.standpipe.spi;

import dev.standpipe.InvalidValueException;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Turns step values into text and back. The text is what the database keeps; a value that went
 * through {@code encode} and {@code decode} is what the next step gets, always.
 *
 * <p>Implementations are thread-safe. The default writes JSON with Jackson; wrap it to encrypt.
 */
public interface PayloadCodec {
  /**
   * The text of a value.
   *
   * @throws InvalidValueException if the value cannot be written
   */
  String encode(@Nullable Object value);

  /**
   * The value of a text, as this type.
   *
   * @throws InvalidValueException if the text does not fit the type
   */
  @Nullable Object decode(String text, Type type);

  /**
   * A text that is equal for equal values, to tell whether two starts with one key have the same
   * input. Override it if {@link #encode} gives different texts for one value, as encryption does.
   */
  default String fingerprint(@Nullable Object value) {
    return encode(value);
  }
}
