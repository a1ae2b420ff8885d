package dev.standpipe.internal.engine.expand;

import dev.standpipe.StepDefinition;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.Outcome;
import dev.standpipe.internal.engine.execute.UnreadException;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the elements of an expand a chunk at a time. The elements in the database tell how far it
 * has come: each chunk is one commit, and the process that takes the expand up again goes on behind
 * the last element.
 */
public final class ElementChunks {
  private final PayloadCodec codec;
  private final Store store;
  private final Executor closer;

  public ElementChunks(PayloadCodec codec, Store store, Executor closer) {
    this.codec = codec;
    this.store = store;
    this.closer = closer;
  }

  /**
   * Begins to read what an expand has returned, unless it has ended its run. What it has done
   * besides is asked for anew each time: opening and reading may be the user's code as well.
   */
  public Outcome.@Nullable AttemptEnding begin(
      Attempt attempt, StepDefinition.Elements elements, Supplier<Outcome.Returned> besides)
      throws Exception {
    ElementReader yielding = new ElementReader(elements, besides, closer);
    attempt.yielding(yielding);
    int position = position(attempt);
    if (besides.get().output() == null) {
      yielding.open(attempt.vertex.key(), position);
    }
    Outcome.Returned done = besides.get();
    return done.output() == null
        ? next(attempt, yielding)
        : new Outcome.Yielded(position, List.of(), true, done.output(), done.effects());
  }

  private int position(Attempt attempt) {
    try {
      int first = attempt.vertex.firstElement(attempt.index);
      int most = attempt.vertex.lastElement(attempt.index);
      return store
              .tasks()
              .lastElement(attempt.run, attempt.vertex.key(), first, most)
              .orElse(first - 1)
          + 1
          - first;
    } catch (StoreException e) {
      throw new UnreadException(e);
    }
  }

  /** The next elements; {@code null} while as many steps are live as may be. */
  public Outcome.@Nullable Yielded next(Attempt attempt, ElementReader yielding) {
    int room = room(attempt, yielding.window());
    Type type = attempt.definition().type().type();
    return room == 0 ? null : yielding.next(room, element -> codec.encode(element, type));
  }

  private int room(Attempt attempt, int window) {
    if (window == Integer.MAX_VALUE) {
      return window;
    }
    List<String> below =
        attempt.pipeline.graph().below(attempt.vertex).stream().map(Vertex::key).toList();
    try {
      return window - store.tasks().live(attempt.run, below, window);
    } catch (StoreException e) {
      throw new UnreadException(e);
    }
  }
}
