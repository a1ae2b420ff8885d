package dev.standpipe.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A node as it is written down.
 *
 * @param key its key, unique in the graph
 * @param kind what it does
 * @param inputs the keys of the nodes whose values its body gets, in order
 * @param after the keys of nodes that must have ended before it, besides its inputs
 * @param arm the innermost arm it is on, or {@code null}
 * @param arms of a divert and of a converge, the names of the arms; the inputs of a converge are
 *     its divert and then one node for each arm
 * @param width of an expand inside another, how many elements it may yield; otherwise 0
 */
public record GraphNode(
    String key,
    NodeKind kind,
    List<String> inputs,
    List<String> after,
    @Nullable Arm arm,
    List<String> arms,
    int width) {
  /** The key of the node that stands for the run's input. No user's key can start with a dollar. */
  public static final String INPUT_KEY = "$input";

  /** Copies the lists. */
  public GraphNode {
    inputs = List.copyOf(inputs);
    after = List.copyOf(after);
    arms = List.copyOf(arms);
  }

  /** Not an expand inside another. */
  public GraphNode(
      String key,
      NodeKind kind,
      List<String> inputs,
      List<String> after,
      @Nullable Arm arm,
      List<String> arms) {
    this(key, kind, inputs, after, arm, arms, 0);
  }

  /** A node that no divert has to do with. */
  public GraphNode(String key, NodeKind kind, List<String> inputs, List<String> after) {
    this(key, kind, inputs, after, null, List.of());
  }
}
