package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Vertex;

/**
 * A step that does not run.
 *
 * @param vertex its vertex
 * @param index its index, or {@link #WHOLE}
 * @param lost whether it is lost, and not only skipped
 */
public record Skip(Vertex vertex, int index, boolean lost) {
  /** Stands for all elements of an expand that did not run itself, and so has none. */
  public static final int WHOLE = -1;
}
