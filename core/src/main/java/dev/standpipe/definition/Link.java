package dev.standpipe.definition;

import org.jspecify.annotations.Nullable;

/**
 * What a finished step means for one thing that depends on it.
 *
 * @param target the vertex that depends on it, or {@code null} for the end of the run
 * @param kind how it counts
 * @param arm from a divert to a vertex on one of its arms, the arm's name; otherwise {@code null}
 */
public record Link(@Nullable Vertex target, Kind kind, @Nullable String arm) {
  /** To what depends on the step whichever way it ends. */
  public Link(@Nullable Vertex target, Kind kind) {
    this(target, kind, null);
  }

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
