package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Strategy;
import dev.standpipe.definition.Vertex;
import java.util.Collection;

/** How a run ends if no operator stops it, by which of its steps have failed. Pure. */
public enum End {
  /** None has. */
  SUCCEEDED,
  /** Some have, and none of them stops a run. */
  FAILED,
  /** One of them stops a run: by what it says itself, or what its pipeline says of all. */
  HALTED;

  /** The end of a run with failed steps of these vertices. */
  public static End of(Graph graph, Collection<Vertex> failed) {
    if (failed.isEmpty()) {
      return SUCCEEDED;
    }
    boolean halts =
        graph.strategies().pipeline() == Strategy.HALT
            || failed.stream().anyMatch(vertex -> vertex.strategy() == Strategy.HALT);
    return halts ? HALTED : FAILED;
  }
}
