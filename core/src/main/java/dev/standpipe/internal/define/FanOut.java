package dev.standpipe.internal.define;

import dev.standpipe.StepDefinition;
import dev.standpipe.error.FanOutLimitException;
import java.util.Collection;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Holds an expand to its limit.
 *
 * @param expand the key of the expand
 * @param limit how many elements it may yield
 * @param window how many of its elements' steps may be live at once
 */
record FanOut(String expand, int limit, int window) {
  /** How many elements an expand may yield by default: as many as fit into one commit with ease. */
  static final int STANDARD = 100_000;

  /** The same for an expand inside another, whose elements share their numbers. */
  static final int STANDARD_INSIDE = 1_000;

  /** A body whose elements are counted; without one too many it is as it was. */
  StepDefinition.Body limiting(StepDefinition.Body body) {
    return (inputs, ctx) -> limited(body.run(inputs, ctx));
  }

  private @Nullable Object limited(@Nullable Object elements) {
    if (elements instanceof Collection<?> collection) {
      if (collection.size() > limit) {
        throw FanOutLimitException.of(expand, limit, collection.size());
      }
      return collection;
    }
    if (elements instanceof StepDefinition.Elements stream) {
      return new Limited(stream);
    }
    return elements instanceof Iterable<?> iterable ? counted(iterable) : elements;
  }

  private <E> Iterable<E> counted(Iterable<E> elements) {
    return () -> new CountedElements<>(elements.iterator(), 0);
  }

  private final class Limited implements StepDefinition.Elements {
    private final StepDefinition.Elements stream;

    Limited(StepDefinition.Elements stream) {
      this.stream = stream;
    }

    @Override
    public @Nullable Iterator<?> from(int position) throws Exception {
      Iterator<?> elements = stream.from(position);
      return elements == null ? null : new CountedElements<>(elements, position);
    }

    @Override
    public int window() {
      return window;
    }

    @Override
    public void close() throws Exception {
      stream.close();
    }
  }

  /** Stops at the first element that is too many: there may be no end to them. */
  private final class CountedElements<E> implements Iterator<E> {
    private final Iterator<E> elements;
    private int count;

    CountedElements(Iterator<E> elements, int before) {
      this.elements = elements;
      this.count = before;
    }

    @Override
    public boolean hasNext() {
      return elements.hasNext();
    }

    @Override
    public E next() {
      E next = elements.next();
      if (count++ == limit) {
        throw FanOutLimitException.beyond(expand, limit);
      }
      return next;
    }
  }
}
