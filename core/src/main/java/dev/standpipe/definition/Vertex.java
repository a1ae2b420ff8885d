package dev.standpipe.definition;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A node of a {@link Graph} with its edges resolved. Immutable once its graph is built. */
public final class Vertex {
  private final String key;
  private final NodeKind kind;
  private final int ordinal;
  private final List<Vertex> inputs = new ArrayList<>();
  private final List<Link> links = new ArrayList<>();
  private @Nullable Vertex scope;
  private int need;

  Vertex(GraphNode node, int ordinal) {
    this.key = node.key();
    this.kind = node.kind();
    this.ordinal = ordinal;
  }

  /** The node's key. */
  public String key() {
    return key;
  }

  /** What the node does. */
  public NodeKind kind() {
    return kind;
  }

  /** The node's place among all nodes of the graph, sorted by key. */
  public int ordinal() {
    return ordinal;
  }

  /** The vertices whose values its body gets, in order. */
  public List<Vertex> inputs() {
    return Collections.unmodifiableList(inputs);
  }

  /** The expand below which this vertex runs once per element, or {@code null}. */
  public @Nullable Vertex scope() {
    return scope;
  }

  /** How many arrivals start it; with 1 and a direct link it needs no counting. */
  public int need() {
    return need;
  }

  /** What depends on it. */
  public List<Link> links() {
    return Collections.unmodifiableList(links);
  }

  /**
   * Whether what follows success is one start of one other vertex, and nothing else: the common
   * case of a chain.
   */
  public boolean isChained() {
    return kind != NodeKind.EXPAND
        && links.size() == 1
        && links.get(0).kind() == Link.Kind.DIRECT
        && links.get(0).target() != null;
  }

  void addInput(Vertex input) {
    inputs.add(input);
  }

  void addLink(Link link) {
    links.add(link);
  }

  void scope(@Nullable Vertex expand) {
    this.scope = expand;
  }

  void need(int arrivals) {
    this.need = arrivals;
  }

  @Override
  public String toString() {
    return key;
  }
}
