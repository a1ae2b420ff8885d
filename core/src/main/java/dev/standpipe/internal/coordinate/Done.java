package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Vertex;

/**
 * Tells which steps of a run had their outcome before a step they depend on runs again: the steps
 * that went on without it when its failure was ignored. They are not started a second time.
 */
@FunctionalInterface
public interface Done {
  /** None: as in every run that was never brought back. */
  Done NOTHING = (vertex, index) -> false;

  /** Whether the step has its outcome. */
  boolean contains(Vertex vertex, int index);
}
