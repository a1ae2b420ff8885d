package dev.standpipe;

/**
 * Adds one element's value to what has come together so far.
 *
 * @param <A> what comes together
 * @param <T> one element's value
 */
@FunctionalInterface
public interface Reducer<A, T> {
  /**
   * Returns what there is with this value: something new, or what it was given, changed. Any
   * exception fails the attempt, and the next one begins with the first value again.
   */
  A add(A soFar, T value) throws Exception;
}
