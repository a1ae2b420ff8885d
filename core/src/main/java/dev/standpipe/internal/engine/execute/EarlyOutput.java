package dev.standpipe.internal.engine.execute;

import dev.standpipe.Pipeline;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.internal.engine.client.ExternalValue;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The result with which a body ends its run, which no compiler has seen. */
final class EarlyOutput {
  private EarlyOutput() {}

  /**
   * The text of the value, which a caller that waits for the run reads as the pipeline's output
   * type.
   */
  static String encode(Pipeline<?, ?> pipeline, @Nullable Object value, PayloadCodec codec) {
    Type type = pipeline.outputType().type();
    if (value != null && !ExternalValue.raw(type).isInstance(value)) {
      throw new InvalidValueException(
          "finishRun was given a %s, but a run of \"%s\" results in a %s"
              .formatted(value.getClass().getName(), pipeline.name(), type.getTypeName()),
          null);
    }
    String text = codec.encode(value, type);
    codec.decode(text, type);
    return text;
  }
}
