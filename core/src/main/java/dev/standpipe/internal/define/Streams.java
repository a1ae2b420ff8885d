package dev.standpipe.internal.define;

import dev.standpipe.ElementSource;
import dev.standpipe.StepBody;
import dev.standpipe.StepDefinition;
import java.util.Iterator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The bodies of expands whose elements come one after the other. */
final class Streams {
  private Streams() {}

  static <T, E> StepBody<T, StepDefinition.Elements> of(
      StepBody<? super T, ? extends Stream<? extends E>> body) {
    return (input, ctx) -> new Skipping(body.run(input, ctx));
  }

  static <T, E> StepBody<T, StepDefinition.Elements> of(
      ElementSource<? super T, ? extends E> source) {
    return (input, ctx) -> new Positioned(position -> source.from(input, position, ctx));
  }

  /** A stream begins with its first element, whichever is wanted. */
  private record Skipping(@Nullable Stream<?> stream) implements StepDefinition.Elements {
    @Override
    public @Nullable Iterator<?> from(int position) {
      return stream == null ? null : stream.skip(position).iterator();
    }

    @Override
    public void close() {
      if (stream != null) {
        stream.close();
      }
    }
  }

  private interface StreamOpener {
    @Nullable Iterator<?> from(int position) throws Exception;
  }

  private static final class Positioned implements StepDefinition.Elements {
    private final StreamOpener opening;
    private @Nullable Iterator<?> opened;

    Positioned(StreamOpener opening) {
      this.opening = opening;
    }

    @Override
    public @Nullable Iterator<?> from(int position) throws Exception {
      opened = opening.from(position);
      return opened;
    }

    @Override
    public void close() throws Exception {
      if (opened instanceof AutoCloseable closeable) {
        closeable.close();
      }
    }
  }
}
