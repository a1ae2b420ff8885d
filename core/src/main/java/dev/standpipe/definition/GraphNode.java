package dev.standpipe.definition;

import java.util.List;

/**
 * A node as it is written down.
 *
 * @param key its key, unique in the graph
 * @param kind what it does
 * @param inputs the keys of the nodes whose values its body gets, in order
 * @param after the keys of nodes that must have ended before it, besides its inputs
 */
public record GraphNode(String key, NodeKind kind, List<String> inputs, List<String> after) {
  /** The key of the node that stands for the run's input. No user's key can start with a dollar. */
  public static final String INPUT_KEY = "$input";

  /** Copies the lists. */
  public GraphNode {
    inputs = List.copyOf(inputs);
    after = List.copyOf(after);
  }
}
