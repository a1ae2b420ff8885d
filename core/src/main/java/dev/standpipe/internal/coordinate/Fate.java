package dev.standpipe.internal.coordinate;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.Vertex;
import java.util.function.Function;

/** Tells whether a step runs when its turn has come, from how those before it ended. Pure. */
public final class Fate {
  private Fate() {}

  /**
   * Whether it is skipped: because the arm it is on was not taken, or because all its inputs were
   * skipped. What it only comes after does not count.
   *
   * @param endings how the vertices ended that it awaits
   */
  public static boolean isSkipped(Vertex vertex, Function<Vertex, Ending> endings) {
    Arm gate = vertex.gate();
    if (gate != null) {
      for (Vertex awaited : vertex.awaited()) {
        if (awaited.key().equals(gate.divert())
            && !gate.name().equals(endings.apply(awaited).arm())) {
          return true;
        }
      }
    }
    return !vertex.isSteady()
        && vertex.inputs().stream().allMatch(input -> endings.apply(input).skipped());
  }
}
