package dev.standpipe.internal.engine.client;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.internal.codec.InferredType;
import dev.standpipe.spi.PayloadCodec;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * A value that comes from outside of any pipeline, for a place of which a type is declared if this
 * process knows the code. It may be of that type, or of the same shape: a map for a record.
 *
 * @param value the value
 * @param declared the type as which it will be read, if it is known
 */
public record ExternalValue(@Nullable Object value, @Nullable Type declared) {
  /** The type by which it is written. */
  Type type() {
    return declared != null && (value == null || raw(declared).isInstance(value))
        ? declared
        : InferredType.of(value);
  }

  /**
   * Its text.
   *
   * @throws InvalidValueException if it cannot be read as the type declared
   */
  public String text(PayloadCodec codec) {
    Type type = type();
    String text = codec.encode(value, type);
    if (declared != null && declared != type) {
      codec.decode(text, declared);
    }
    return text;
  }

  /** The same for equal values. */
  public String fingerprint(PayloadCodec codec) {
    return codec.fingerprint(value, type());
  }

  /** A type that is neither a class nor made of one is left to the codec. */
  public static Class<?> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return MethodType.methodType(plain).wrap().returnType();
    }
    return type instanceof ParameterizedType generic ? raw(generic.getRawType()) : Object.class;
  }
}
