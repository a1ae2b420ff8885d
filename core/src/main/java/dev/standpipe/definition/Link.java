package dev.standpipe.definition;

import org.jspecify.annotations.Nullable;

/**
 * What a finished step means for one thing that depends on it.
 *
 * @param target the vertex that depends on it, or {@code null} for the end of the run
 * @param kind how it counts
 */
public record Link(@Nullable Vertex target, Kind kind) {
  /** How a finished step counts for a target. */
  public enum Kind {
    /** The target depends on nothing else: it starts now. */
    DIRECT,
    /** The target depends on several: one of them has arrived. */
    ARRIVE,
    /** From an expand to what waits for its elements: each of them is now expected as well. */
    SPREAD
  }
}
