package dev.standpipe.internal.codec;

import dev.standpipe.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON through Jackson; maps are written in key order, so that equal values give equal text. */
public final class JacksonCodec implements PayloadCodec {
  private final JsonMapper mapper =
      JsonMapper.builder().enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS).build();

  @Override
  public String encode(@Nullable Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (JacksonException | StackOverflowError e) {
      String type = value == null ? "null" : value.getClass().getName();
      throw new InvalidValueException(
          "A value of type " + type + " cannot be written as JSON: " + reason(e), e);
    }
  }

  @Override
  public @Nullable Object decode(String text, Type type) {
    try {
      return mapper.readValue(text, mapper.constructType(type));
    } catch (JacksonException e) {
      throw new InvalidValueException(
          "Stored JSON does not fit the type " + type.getTypeName() + ": " + reason(e), e);
    }
  }

  private static String reason(Throwable error) {
    return error instanceof JacksonException jackson
        ? jackson.getOriginalMessage()
        : "it is nested too deeply";
  }
}
