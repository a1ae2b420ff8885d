package dev.standpipe.internal.codec;

import dev.standpipe.InvalidValueException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.BufferRecycler;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.core.util.RecyclerPool;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON through Jackson; maps are written in key order, so that equal values give equal text, and a
 * fraction is never read as an integer.
 *
 * <p>Not all that Jackson, or a type it builds, may throw is a Jackson exception (an exponent out
 * of range is a {@code NumberFormatException}); whatever it is, the value is at fault.
 */
public final class JacksonCodec implements PayloadCodec {
  /**
   * Buffers of each thread's own cost least, but virtual threads, which run steps from Java 21 on,
   * are too many to have them.
   */
  private static final RecyclerPool<BufferRecycler> BUFFERS =
      Runtime.version().feature() < 21
          ? JsonRecyclerPools.threadLocalPool()
          : JsonRecyclerPools.defaultPool();

  private final JsonMapper mapper =
      JsonMapper.builder(JsonFactory.builder().recyclerPool(BUFFERS).build())
          .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
          .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
          .build();

  /** Types are those of a program's pipelines: few, and used again and again. */
  private final Map<Type, ObjectReader> readers = new ConcurrentHashMap<>();

  @Override
  public String encode(@Nullable Object value) {
    try {
      return mapper.writeValueAsString(value);
    } catch (RuntimeException | StackOverflowError e) {
      String type = value == null ? "null" : value.getClass().getName();
      throw new InvalidValueException(
          "A value of type " + type + " cannot be written as JSON: " + reason(e), e);
    }
  }

  @Override
  public @Nullable Object decode(String text, Type type) {
    try {
      return readers.computeIfAbsent(type, this::reader).readValue(text);
    } catch (RuntimeException | StackOverflowError e) {
      throw new InvalidValueException(
          "Stored JSON does not fit the type " + type.getTypeName() + ": " + reason(e), e);
    }
  }

  private ObjectReader reader(Type type) {
    return mapper.readerFor(mapper.constructType(type));
  }

  private static String reason(Throwable error) {
    if (error instanceof StackOverflowError) {
      return "it is nested too deeply";
    }
    return error instanceof JacksonException jackson
        ? jackson.getOriginalMessage()
        : String.valueOf(error.getMessage());
  }
}
