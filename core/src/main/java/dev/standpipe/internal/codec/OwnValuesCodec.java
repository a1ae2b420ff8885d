package dev.standpipe.internal.codec;

import dev.standpipe.error.InvalidValueException;
import dev.standpipe.internal.EndedRun;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is Standpipe's own, the input of callbacks and compensations, as plain JSON, and
 * leaves the user's values to the user's codec. Callbacks are dispatched by the engine for all runs
 * of a process: a codec that blocks or fails must not keep it from that.
 */
public final class OwnValuesCodec implements PayloadCodec {
  private static final JacksonCodec OWN = new JacksonCodec();

  private final PayloadCodec codec;

  /** Leaves all else to this codec. */
  public OwnValuesCodec(PayloadCodec codec) {
    this.codec = codec;
  }

  @Override
  public String encode(@Nullable Object value, Type type) {
    return value instanceof EndedRun ? OWN.encode(value, type) : codec.encode(value, type);
  }

  @Override
  public @Nullable Object decode(String text, Type type) {
    if (type == EndedRun.class) {
      try {
        return OWN.decode(text, type);
      } catch (InvalidValueException e) {
        return codec.decode(text, type); // written before Standpipe wrote its own
      }
    }
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
}
