package dev.standpipe.internal.engine.execute;

import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;

/**
 * A value that goes on as one of another type: from a node that has a circle to a pipeline that
 * takes any shape, or to a converge. It is written anew, by the type as which it will be read.
 */
final class RetypedValue {
  private RetypedValue() {}

  static String text(String text, Type from, Type to, PayloadCodec codec) {
    return from.equals(to) ? text : codec.encode(codec.decode(text, from), to);
  }
}
