package dev.standpipe.internal.define;

import dev.standpipe.Pipeline;
import dev.standpipe.StepDefinition;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.Arm;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A node while its pipeline is being defined: its place among the others. Not thread-safe; frozen
 * when the definition ends.
 */
public final class NodeDraft {
  final FlowDraft flow;
  final String key;
  final NodeKind kind;
  final TypeToken<?> type;
  final List<NodeDraft> inputs;
  final List<NodeDraft> after = new ArrayList<>();
  final @Nullable ArmPlace place;
  private final NodeOptions options;
  private final @Nullable NodeDraft scope;
  private final StepDefinition.Body body;
  private List<String> arms = List.of();
  private Optional<Pipeline<?, ?>> calls = Optional.empty();
  private boolean ordered;
  private boolean streamed;
  private @Nullable NodeDraft inside;

  NodeDraft(
      FlowDraft flow,
      String key,
      NodeKind kind,
      TypeToken<?> type,
      List<NodeDraft> inputs,
      StepDefinition.Body body) {
    this.flow = flow;
    this.key = key;
    this.kind = kind;
    this.type = type;
    this.inputs = List.copyOf(inputs);
    this.body = body;
    this.options = new NodeOptions(flow, key);
    this.place = flow.place();
    this.scope = inputs.isEmpty() ? null : findScope(kind, inputs);
  }

  /**
   * Where a node is written: on an arm of a divert.
   *
   * @param divert the divert
   * @param arm the arm's name
   */
  record ArmPlace(NodeDraft divert, String arm) {}

  /** What the user says about it. */
  public NodeOptions options() {
    return options;
  }

  /** Has it start after these nodes as well; {@code null} among them is a mistake. */
  public void after(List<@Nullable NodeDraft> nodes) {
    flow.requireOpen();
    for (NodeDraft node : nodes) {
      if (!options.isMissing(node, "after")) {
        after.add(node);
      }
    }
    this.ordered = true;
  }

  /** Wires what runs inside of this expand, and returns the node that it ends with. */
  public NodeDraft inside(FlowDraft.Wiring wiring) {
    NodeDraft end = wiring.from(this);
    if (end == null) {
      throw new FlowDraft.WiringException(
          "What is inside of \"" + key + "\" ends with null, not a node");
    }
    this.inside = end;
    return end;
  }

  /** Names the arms of a divert or a converge. */
  void arms(List<String> names) {
    this.arms = List.copyOf(names);
  }

  /** Names the pipeline that it calls. */
  void calls(Pipeline<?, ?> pipeline) {
    this.calls = Optional.of(pipeline);
  }

  /** Notes that its elements come one after the other. */
  NodeDraft streamed() {
    this.streamed = true;
    return this;
  }

  boolean isStreamed() {
    return streamed;
  }

  /** Whether the user has said anything about it. */
  boolean isConfigured() {
    return ordered || options.isConfigured();
  }

  /** Whether it runs once for each element of an expand. */
  boolean isPerElement() {
    return scope != null;
  }

  /** The expand for each element of which it runs, or {@code null}. */
  @Nullable NodeDraft scope() {
    return scope;
  }

  /**
   * Whether it runs for each element of this expand, or of one inside; {@code null} is no expand.
   */
  boolean isWithin(@Nullable NodeDraft expand) {
    for (NodeDraft at = scope; at != null; at = at.scope) {
      if (at == expand) {
        return true;
      }
    }
    return expand == null;
  }

  /** The expand whose elements it yields, or makes something of. */
  @Nullable NodeDraft spread() {
    return kind == NodeKind.EXPAND ? this : scope;
  }

  private static @Nullable NodeDraft findScope(NodeKind kind, List<NodeDraft> inputs) {
    NodeDraft elements = inputs.get(0).spread();
    if (kind == NodeKind.CONVERGE) {
      return elements;
    }
    if (inputs.size() > 1) {
      return null;
    }
    if (kind.followsElements()) {
      return elements;
    }
    return kind == NodeKind.COLLAPSE && elements != null ? elements.scope : null;
  }

  /** Whether it is on this arm, or on an arm within. */
  boolean isOn(ArmPlace arm) {
    for (ArmPlace at = place; at != null; at = at.divert().place) {
      if (at.equals(arm)) {
        return true;
      }
    }
    return false;
  }

  /** The nodes that it names as its inputs, or as earlier. */
  Set<NodeDraft> dependencies() {
    Set<NodeDraft> all = new LinkedHashSet<>(inputs);
    all.addAll(after);
    return all;
  }

  /** The nodes that it waits for: on an arm, the divert as well, whatever its inputs are. */
  Set<NodeDraft> awaited() {
    Set<NodeDraft> all = dependencies();
    if (place != null) {
      all.add(place.divert());
    }
    return all;
  }

  /** The pipelines that it calls, and those that they call. */
  Stream<Pipeline<?, ?>> called() {
    return calls.stream().flatMap(NodeDraft::andCalled);
  }

  private static Stream<Pipeline<?, ?>> andCalled(Pipeline<?, ?> pipeline) {
    return Stream.concat(
        Stream.of(pipeline), pipeline.called().stream().flatMap(NodeDraft::andCalled));
  }

  /** Whether the nodes inside of it end where it began: with one value for each element outside. */
  boolean isBroughtTogether() {
    return inside == null || inside.scope == scope;
  }

  /** How many elements it may yield, if it is an expand. */
  int limit() {
    return options.limit().orElse(scope == null ? FanOut.STANDARD : FanOut.STANDARD_INSIDE);
  }

  GraphNode toGraphNode() {
    return new GraphNode(
        key,
        kind,
        keys(inputs),
        keys(after).stream().distinct().sorted().toList(),
        place == null ? null : new Arm(place.divert().key, place.arm()),
        arms,
        kind == NodeKind.EXPAND && scope != null ? limit() : 0);
  }

  StepDefinition toStep() {
    return new StepDefinition(
        key,
        kind,
        type,
        options.retry(),
        options.timeout(),
        options.stallTimeout(),
        options.within(),
        calls,
        options.crashLimit(),
        options.waiting(),
        kind == NodeKind.LOOP ? Optional.of(options.turns()) : Optional.empty(),
        limitedBody());
  }

  private StepDefinition.Body limitedBody() {
    return kind == NodeKind.EXPAND
        ? new FanOut(key, limit(), options.window().orElse(Integer.MAX_VALUE)).limiting(body)
        : body;
  }

  private static List<String> keys(List<NodeDraft> nodes) {
    return nodes.stream().map(node -> node.key).toList();
  }
}
