package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Vertex;

/**
 * A step that is skipped.
 *
 * @param vertex its vertex
 * @param index its index, or {@link #WHOLE}
 */
public record Skip(Vertex vertex, int index) {
  /** Stands for all elements of an expand that was skipped itself, and so has none. */
  public static final int WHOLE = -1;
}
