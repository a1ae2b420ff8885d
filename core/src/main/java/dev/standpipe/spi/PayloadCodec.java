package dev.standpipe.spi;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.internal.codec.JacksonCodec;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Turns values into text and back. The text is what the database keeps; a value that went through
 * {@code encode} and {@code decode} is what the next step gets, always. So both are told the type
 * that the pipeline declares, and what would not come back as it was is refused when it is written.
 *
 * <p>Implementations are thread-safe. The default is {@link #json()}; wrap it to encrypt.
 */
public interface PayloadCodec {
  /**
   * The text of a value.
   *
   * @param type the type declared for it, as which it will be read
   * @throws InvalidValueException if the value cannot be written, or would not come back as it was
   */
  String encode(@Nullable Object value, Type type);

  /**
   * The value of a text, as this type.
   *
   * @throws InvalidValueException if the text does not fit the type
   */
  @Nullable Object decode(String text, Type type);

  /**
   * A text that is equal for equal values in every JVM, to tell whether two starts with one key
   * have the same input. Override it if {@link #encode} gives different texts for one value, as
   * encryption does, and as any codec does that writes a set in the order in which it is iterated.
   */
  default String fingerprint(@Nullable Object value, Type type) {
    return encode(value, type);
  }

  /**
   * Why values of a type could never be read back, each with what to do about it; empty if they
   * can. Asked for the types of every pipeline that is served, before anything runs.
   */
  default List<String> problems(Type type) {
    return List.of();
  }

  /** JSON through Jackson, as it is if no codec is set. */
  static PayloadCodec json() {
    return new JacksonCodec();
  }

  /**
   * JSON through a copy of this mapper, with its modules. Settings without which values would not
   * come back as they were (time zones, enums by name, empty beans) are those of {@link #json()},
   * and sealed types work as they do there. What a mapper does to a type cannot be known, so every
   * value is read back and compared when it is written.
   */
  static PayloadCodec json(JsonMapper mapper) {
    return new JacksonCodec(mapper);
  }
}
