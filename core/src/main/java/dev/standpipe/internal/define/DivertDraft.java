package dev.standpipe.internal.define;

import dev.standpipe.StepBody;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.Arm;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.error.UnmatchedDivertException;
import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A divert while its pipeline is being defined. Not thread-safe. */
public final class DivertDraft {
  private final NodeDraft node;
  private final NodeDraft source;
  private final Map<String, NodeDraft> arms = new LinkedHashMap<>();
  private final Set<String> twice = new HashSet<>();
  private boolean halts;
  private @Nullable NodeDraft converge;
  private boolean typed;

  /** Adds a divert of a node's value. */
  public <T> DivertDraft(NodeDraft source, String key, StepBody<T, String> selector) {
    Bodies.require(source, key, selector);
    Bodies.requireNoTransaction(source, key, selector);
    this.source = source;
    this.node =
        source.flow.add(
            key,
            NodeKind.DIVERT,
            TypeToken.of(String.class),
            List.of(source),
            (inputs, ctx) -> choose(selector.run(Bodies.<T>input(inputs, 0), ctx)));
    source.flow.add(this);
  }

  /** What the user says about its selector. */
  public NodeOptions options() {
    return node.options();
  }

  NodeDraft node() {
    return node;
  }

  /** Wires an arm from the node whose value is diverted. */
  public void wire(String name, FlowDraft.Wiring wiring) {
    if (name == null) {
      throw new FlowDraft.WiringException(
          "an arm of \"" + node.key + "\" has no name: give it one");
    }
    NodeDraft end = node.flow.wireOn(new NodeDraft.ArmPlace(node, name), () -> end(name, wiring));
    if (arms.putIfAbsent(name, end) != null) {
      twice.add(name);
    }
  }

  private NodeDraft end(String name, FlowDraft.Wiring wiring) {
    NodeDraft end = wiring.from(source);
    if (end == null) {
      throw new FlowDraft.WiringException(
          "The arm \"" + name + "\" of \"" + node.key + "\" ends with null, not a node");
    }
    return end;
  }

  /** Halts the run where no arm matches. */
  public void halts() {
    node.flow.requireOpen();
    this.halts = true;
  }

  /** Brings the arms together; without a type, all of them must be of one. */
  public NodeDraft converge(@Nullable TypeToken<?> type) {
    List<NodeDraft> inputs = new ArrayList<>(List.of(node));
    inputs.addAll(arms.values());
    this.typed = type != null;
    TypeToken<?> of = type == null ? inputs.get(1).type : type;
    NodeDraft end = node.flow.add(node.key + ":converge", NodeKind.CONVERGE, of, inputs);
    end.arms(List.copyOf(arms.keySet()));
    node.arms(List.copyOf(arms.keySet()));
    this.converge = end;
    return end;
  }

  private String choose(@Nullable String name) {
    if (name != null && arms.containsKey(name)) {
      return name;
    }
    if (arms.containsKey(Arm.OTHERWISE)) {
      return Arm.OTHERWISE;
    }
    throw new UnmatchedDivertException(node.key, name, arms.keySet());
  }

  boolean isConverged() {
    return converge != null;
  }

  /** Whether it is brought together where it was diverted, not on an arm of another. */
  boolean isConvergedInPlace() {
    return converge == null || Objects.equals(converge.place, node.place);
  }

  boolean isComplete() {
    return halts || arms.containsKey(Arm.OTHERWISE);
  }

  Set<String> armsWiredTwice() {
    return twice;
  }

  Set<String> arms() {
    return arms.keySet();
  }

  /** The arms that end somewhere else than with a value where it was diverted. */
  List<String> armsGoneAstray() {
    return arms.entrySet().stream()
        .filter(arm -> arm.getValue() != source && !isHere(arm.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isHere(NodeDraft end) {
    return node.isPerElement() ? end.spread() == node.scope() : !end.isPerElement();
  }

  /** The arms whose values are not of the type of which all are said to be. */
  List<String> armsOfOtherTypes() {
    NodeDraft end = converge;
    if (end == null || !typed) {
      return List.of();
    }
    return arms.entrySet().stream()
        .filter(arm -> !raw(end).isAssignableFrom(raw(arm.getValue())))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether the arms end in values of different types, and the user named no common type. */
  boolean isOfSeveralTypes() {
    return !typed && arms.values().stream().map(end -> end.type.type()).distinct().count() > 1;
  }

  /** The class of a node's values, without its type arguments. */
  private static Class<?> raw(NodeDraft end) {
    return raw(end.type.type());
  }

  private static Class<?> raw(Type type) {
    if (type instanceof Class<?> plain) {
      return MethodType.methodType(plain).wrap().returnType();
    }
    return type instanceof ParameterizedType generic ? raw(generic.getRawType()) : Object.class;
  }
}
