package dev.standpipe.checker;

import java.util.UUID;

/**
 * A step of a run.
 *
 * @param run the run
 * @param node the key of the node, or {@link #NONE} for the run as a whole
 * @param index the index
 */
public record Step(UUID run, String node, int index) {
  /** In place of a node: the run itself is meant. */
  public static final String NONE = "-";

  /** The run as a whole. */
  public static Step ofRun(UUID run) {
    return new Step(run, NONE, 0);
  }

  @Override
  public String toString() {
    return node.equals(NONE) ? "run " + run : node + "[" + index + "] of run " + run;
  }
}
