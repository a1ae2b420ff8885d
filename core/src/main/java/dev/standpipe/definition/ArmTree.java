package dev.standpipe.definition;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which nodes are on which arms, and what that means for what they wait for. */
final class ArmTree {
  private final Map<String, GraphNode> nodes = new HashMap<>();

  ArmTree(Collection<GraphNode> nodes) {
    nodes.forEach(node -> this.nodes.put(node.key(), node));
  }

  /**
   * The arm whose divert a node must ask whether it runs: its own, unless all that it depends on is
   * on that arm too and so is skipped with it.
   */
  @Nullable Arm gate(GraphNode node) {
    Arm arm = node.arm();
    if (arm == null) {
      return null;
    }
    boolean inside =
        Stream.concat(node.inputs().stream(), node.after().stream())
            .allMatch(key -> enclosing(get(key)).contains(arm));
    return inside ? null : arm;
  }

  /**
   * What has ended, and was not skipped, whenever a node's turn can come: the run's input, and what
   * the diverts around it were asked about.
   */
  Set<String> given(GraphNode node) {
    Set<String> given = new HashSet<>(Set.of(GraphNode.INPUT_KEY));
    enclosing(node).forEach(arm -> given.addAll(get(arm.divert()).inputs()));
    return given;
  }

  /**
   * The nodes that a node need not wait for: those that are given, and the inputs of a converge's
   *
   * <p>own divert.
   */
  Set<String> settled(GraphNode node) {
    Set<String> settled = given(node);
    if (node.kind() == NodeKind.CONVERGE) {
      settled.addAll(get(node.inputs().get(0)).inputs());
    }
    return settled;
  }

  /** The arms a node is on, the innermost first. */
  private List<Arm> enclosing(GraphNode node) {
    List<Arm> arms = new ArrayList<>();
    Arm arm = node.arm();
    while (arm != null && !arms.contains(arm)) {
      arms.add(arm);
      arm = get(arm.divert()).arm();
    }
    return arms;
  }

  private GraphNode get(String key) {
    GraphNode node = nodes.get(key);
    if (node == null) {
      throw new IllegalArgumentException("there is no node " + key);
    }
    return node;
  }
}
