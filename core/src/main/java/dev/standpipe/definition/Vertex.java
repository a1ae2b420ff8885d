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
  private final List<String> arms;
  private final int width;
  private final List<Link> links = new ArrayList<>();
  private final List<Vertex> awaited = new ArrayList<>();
  private @Nullable Arm gate;
  private boolean steady;
  private boolean uncertain;
  private boolean lacking;
  private Strategy strategy = Strategy.HALT;
  private @Nullable Vertex scope;
  private int need;

  Vertex(GraphNode node, int ordinal) {
    this.key = node.key();
    this.kind = node.kind();
    this.ordinal = ordinal;
    this.arms = node.arms();
    this.width = node.width();
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

  /**
   * The expand whose elements it gets, or whose elements' values: its own elements are those of an
   * expand, and those of the expand it is below for anything else.
   */
  public @Nullable Vertex spread() {
    return kind == NodeKind.EXPAND ? this : scope;
  }

  /**
   * The index of an expand's first element, given the expand's own. Inside another expand, elements
   * are numbered through: each element outside has room for as many as the expand may yield.
   */
  public int firstElement(int index) {
    return index * width;
  }

  /** The highest index an expand's elements may have, given the expand's own. */
  public int lastElement(int index) {
    return width == 0 ? Integer.MAX_VALUE : firstElement(index) + width - 1;
  }

  /** The index of what waits for this vertex with all that are in its place outside. */
  public int indexOf(@Nullable Vertex target, int index) {
    Vertex outside = target == null ? null : target.scope;
    int at = index;
    for (Vertex expand = scope; expand != null && expand != outside; expand = expand.scope) {
      at = expand.width == 0 ? 0 : at / expand.width;
    }
    return at;
  }

  /**
   * What decides for a vertex, as one that waits for this one, whether this one was skipped: itself
   * or, from outside of the expands it is below, the outermost of those.
   */
  public Vertex seenFrom(Vertex waiting) {
    Vertex seen = this;
    for (Vertex expand = scope; expand != null && expand != waiting.scope; expand = expand.scope) {
      seen = expand;
    }
    return seen;
  }

  /** How many arrivals start it; with 1 and a direct link it needs no counting. */
  public int need() {
    return need;
  }

  /** The names of the arms of a divert or a converge. */
  public List<String> arms() {
    return arms;
  }

  /** The vertices that must have ended before it, those left out that are sure to have. */
  public List<Vertex> awaited() {
    return Collections.unmodifiableList(awaited);
  }

  /** The arm that must be taken for it to run, unless its inputs decide that already. */
  public @Nullable Arm gate() {
    return gate;
  }

  /** Whether one of its inputs is never skipped when it is asked for. */
  public boolean isSteady() {
    return steady;
  }

  /** Whether, when all it waits for has ended, it may turn out that it is skipped. */
  public boolean isUncertain() {
    return uncertain;
  }

  /** Whether some of its inputs may have no value when it runs: skipped, or failed and ignored. */
  public boolean mayLackInputs() {
    return lacking;
  }

  /** What it means that it has failed for good. */
  public Strategy strategy() {
    return strategy;
  }

  /** The vertices that depend on it. */
  public List<Link> links() {
    return Collections.unmodifiableList(links);
  }

  /**
   * Whether what follows success is one start of one other vertex, and nothing else: the common
   * case of a chain.
   */
  public boolean isChained() {
    return kind != NodeKind.EXPAND
        && kind != NodeKind.DIVERT
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

  void await(Vertex dependency) {
    awaited.add(dependency);
  }

  void gate(@Nullable Arm arm) {
    this.gate = arm;
  }

  void steady(boolean always) {
    this.steady = always;
  }

  void mayLack() {
    this.lacking = true;
  }

  void strategy(Strategy whenFailed) {
    this.strategy = whenFailed;
  }

  void uncertain(boolean maybe) {
    this.uncertain = maybe;
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
