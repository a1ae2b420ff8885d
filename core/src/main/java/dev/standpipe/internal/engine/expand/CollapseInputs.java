package dev.standpipe.internal.engine.expand;

import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.engine.execute.UnreadException;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Element;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The values that a collapse brings together, read page by page. A page is as long as makes a few
 * megabytes, going by the one before it.
 */
public final class CollapseInputs implements Iterable<@Nullable Object> {
  private static final int FIRST_PAGE = 200;
  private static final int LONGEST_PAGE = 5_000;
  private static final long PAGE_CHARS = 2_000_000;

  private final Attempt attempt;
  private final Vertex of;
  private final int first;
  private final int to;
  private final Tasks tasks;
  private final Function<String, @Nullable Object> decode;

  public CollapseInputs(
      Attempt attempt, Vertex of, Tasks tasks, Function<String, @Nullable Object> decode) {
    this.attempt = attempt;
    this.of = of;
    this.tasks = tasks;
    this.decode = decode;
    Vertex expand = Objects.requireNonNull(of.spread(), "only elements come together");
    this.first = expand.firstElement(attempt.index);
    this.to = expand.lastElement(attempt.index);
  }

  @Override
  public Iterator<@Nullable Object> iterator() {
    return new Pages();
  }

  private final class Pages implements Iterator<@Nullable Object> {
    private List<Element> page = List.of();
    private int at;
    private int size = FIRST_PAGE;
    private int from = first;
    private boolean last;

    @Override
    public boolean hasNext() {
      if (at == page.size() && !last) {
        turn();
      }
      return at < page.size();
    }

    @Override
    public @Nullable Object next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      String value = page.get(at++).value();
      return value == null ? null : decode.apply(value);
    }

    private static long chars(Element element) {
      String value = element.value();
      return value == null ? 0 : value.length();
    }

    private void turn() {
      if (attempt.isCanceled()) {
        throw new CancellationException("Nobody wants the result any more");
      }
      try {
        page = tasks.elements(attempt.run, of.key(), from, to, size);
      } catch (StoreException e) {
        throw new UnreadException(e);
      }
      at = 0;
      last = page.size() < size;
      if (!last) {
        from = page.get(page.size() - 1).index() + 1;
        long chars = page.stream().mapToLong(Pages::chars).sum();
        size = (int) Math.max(1, Math.min(LONGEST_PAGE, PAGE_CHARS * page.size() / (chars + 1)));
      }
    }
  }
}
