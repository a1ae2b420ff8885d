package dev.standpipe;

import java.util.Iterator;

/**
 * Yields the elements of an expand from any position on, so that one which was interrupted goes on
 * where it was.
 *
 * @param <T> the input
 * @param <E> one element
 */
@FunctionalInterface
public interface ElementSource<T, E> {
  /**
   * The elements from this position on: those before it are stored already. What is at a position
   * must be the same whenever it is asked for. The iterator is used by one thread at a time, after
   * this method has returned; if it is {@link AutoCloseable}, it is closed.
   */
  Iterator<? extends E> from(T input, int position, StepContext ctx) throws Exception;
}
