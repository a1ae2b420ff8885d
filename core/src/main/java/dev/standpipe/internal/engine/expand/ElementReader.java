package dev.standpipe.internal.engine.expand;

import dev.standpipe.StepDefinition;
import dev.standpipe.error.InvalidValueException;
import dev.standpipe.internal.engine.execute.ErrorText;
import dev.standpipe.internal.engine.execute.Outcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The elements of an expand on their way in, read a chunk at a time. One thread reads at a time;
 * any thread may close it, and if another thread reads just then, the reading thread closes it in
 * the end.
 */
public final class ElementReader {
  private static final Logger LOG = LoggerFactory.getLogger(ElementReader.class);
  private static final int LONGEST_CHUNK = 1_000;
  private static final int CHUNK_CHARS = 1_000_000;

  private final StepDefinition.Elements elements;
  private final ReentrantLock reading = new ReentrantLock();
  private final Supplier<Outcome.Returned> besides;
  private final Executor closer;
  private @Nullable Iterator<?> iterator;
  private int position;
  private volatile boolean released;
  private volatile boolean closed;

  ElementReader(
      StepDefinition.Elements elements, Supplier<Outcome.Returned> besides, Executor closer) {
    this.elements = elements;
    this.besides = besides;
    this.closer = closer;
  }

  /** How many of its elements' steps may be live at once. */
  int window() {
    return elements.window();
  }

  /** Begins with the element at this position. */
  void open(String expand, int from) throws Exception {
    position = from;
    iterator = elements.from(from);
    if (iterator == null) {
      throw new InvalidValueException(
          "The expand \"" + expand + "\" returned null: return an empty stream", null);
    }
  }

  /**
   * Reads on: up to this many elements, and no more than a commit takes with ease. What the body
   * has set in the run's context goes with the last, which ends the step; those are the last with
   * which it has ended the run.
   */
  Outcome.Yielded next(int most, Function<@Nullable Object, String> encode) {
    reading.lock();
    try {
      List<String> values = new ArrayList<>();
      boolean more = hasNext();
      long chars = 0;
      while (more && values.size() < Math.min(most, LONGEST_CHUNK) && chars < CHUNK_CHARS) {
        String value = encode.apply(iterator().next());
        values.add(value);
        chars += value.length();
        more = hasNext();
      }
      Outcome.Returned done = besides.get();
      boolean last = !more || done.output() != null;
      int first = position;
      position += values.size();
      closed |= last;
      return new Outcome.Yielded(
          first, values, last, done.output(), last ? done.effects() : List.of());
    } finally {
      reading.unlock();
      releaseIfClosed();
    }
  }

  private boolean hasNext() {
    return iterator().hasNext();
  }

  private Iterator<?> iterator() {
    Iterator<?> open = iterator;
    if (open == null) {
      throw new IllegalStateException("Not open");
    }
    return open;
  }

  /** Has a thread for the user's code close it soon: closing may take as long as it likes. */
  public void close() {
    closed = true;
    if (!released) {
      try {
        closer.execute(this::releaseIfClosed);
      } catch (RuntimeException | Error e) {
        LOG.warn("What an expand reads from is left open: there is no thread to close it", e);
      }
    }
  }

  private void releaseIfClosed() {
    if (closed && reading.tryLock()) {
      try {
        if (!released) {
          released = true;
          elements.close();
        }
      } catch (Throwable e) { // its elements are in: that it cannot be closed changes nothing
        LOG.warn("What an expand read from could not be closed: {}", ErrorText.text(e));
      } finally {
        reading.unlock();
      }
    }
  }
}
