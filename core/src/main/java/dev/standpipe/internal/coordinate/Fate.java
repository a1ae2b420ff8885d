package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.Vertex;
import java.util.function.Function;

/** Whether a step runs when its turn has come, by how the steps before it ended. */
public enum Fate {
  /** It runs. */
  RUNS,
  /** It is on an arm that was not taken, or all its inputs were skipped: it counts as ended. */
  SKIPPED,
  /** Something it depends on has failed or is lost: so is all that depends on it. */
  LOST;

  /**
   * The fate of a vertex. An arm that was not taken comes first: what is on it would not have run,
   * whatever else has failed. What it only comes after counts for being lost, not for being
   * skipped.
   *
   * @param endings how the vertices ended that it awaits
   */
  public static Fate of(Vertex vertex, Function<Vertex, Ending> endings) {
    Arm gate = vertex.gate();
    boolean lost = false;
    for (Vertex awaited : vertex.awaited()) {
      Ending ending = endings.apply(awaited);
      lost |= ending.fate() == LOST;
      if (gate != null
          && awaited.key().equals(gate.divert())
          && ending.fate() != LOST
          && !gate.name().equals(ending.arm())) {
        return SKIPPED;
      }
    }
    if (lost) {
      return LOST;
    }
    boolean skipped =
        !vertex.isSteady()
            && vertex.inputs().stream().allMatch(input -> endings.apply(input).fate() == SKIPPED);
    return skipped ? SKIPPED : RUNS;
  }
}
