package dev.standpipe.internal.engine;

import dev.standpipe.InvalidValueException;
import dev.standpipe.Pipeline;
import dev.standpipe.spi.PayloadCodec;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The result with which a body ends its run, which no compiler has seen. */
final class EarlyOutput {
  private EarlyOutput() {}

  /** Its text, from which whoever waits for the run can read the pipeline's output type. */
  static String encode(Pipeline<?, ?> pipeline, @Nullable Object value, PayloadCodec codec) {
    Type type = pipeline.outputType().type();
    if (value != null && !raw(type).isInstance(value)) {
      throw new InvalidValueException(
          "finishRun was given a %s, but a run of \"%s\" results in a %s"
              .formatted(value.getClass().getName(), pipeline.name(), type.getTypeName()),
          null);
    }
    String text = codec.encode(value);
    codec.decode(text, type);
    return text;
  }

  /** A type that is neither a class nor made of one is left to the codec. */
  private static Class<?> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return MethodType.methodType(plain).wrap().returnType();
    }
    return type instanceof ParameterizedType generic ? raw(generic.getRawType()) : Object.class;
  }
}
