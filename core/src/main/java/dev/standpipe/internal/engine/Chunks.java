package dev.standpipe.internal.engine;

import dev.standpipe.StepDefinition;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Store;
import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of an expand a chunk at a time. How far it has come is told by the elements
 * that are in: each chunk is one commit, and whoever takes the expand up again goes on behind the
 * last of them.
 */
final class Chunks {
  private final PayloadCodec codec;
  private final Store store;
  private final Executor closer;

  Chunks(PayloadCodec codec, Store store, Executor closer) {
    this.codec = codec;
    this.store = store;
    this.closer = closer;
  }

  /**
   * Begins to read what an expand has returned, unless it has ended its run. What it has done
   * besides is asked for anew each time: opening and reading may be the user's code as well.
   */
  Outcome.@Nullable Ending begin(
      Work work, StepDefinition.Elements elements, Supplier<Outcome.Returned> besides)
      throws Exception {
    Yielding yielding = new Yielding(elements, besides, closer);
    work.yielding(yielding);
    int position = position(work);
    if (besides.get().output() == null) {
      yielding.open(work.vertex.key(), position);
    }
    Outcome.Returned done = besides.get();
    return done.output() == null
        ? next(work, yielding)
        : new Outcome.Yielded(position, List.of(), true, done.output(), done.context());
  }

  private int position(Work work) {
    try {
      int first = work.vertex.firstElement(work.index);
      int most = work.vertex.lastElement(work.index);
      return store.tasks().lastElement(work.run, work.vertex.key(), first, most).orElse(first - 1)
          + 1
          - first;
    } catch (StoreException e) {
      throw new UnreadException(e);
    }
  }

  /** The next elements; {@code null} while as many steps are live as may be. */
  Outcome.@Nullable Yielded next(Work work, Yielding yielding) {
    int room = room(work, yielding.window());
    Type type = work.definition().type().type();
    return room == 0 ? null : yielding.next(room, element -> codec.encode(element, type));
  }

  private int room(Work work, int window) {
    if (window == Integer.MAX_VALUE) {
      return window;
    }
    List<String> below =
        work.pipeline.graph().below(work.vertex).stream().map(Vertex::key).toList();
    try {
      return window - store.tasks().live(work.run, below, window);
    } catch (StoreException e) {
      throw new UnreadException(e);
    }
  }
}
