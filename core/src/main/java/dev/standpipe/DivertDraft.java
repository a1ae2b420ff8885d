package dev.standpipe;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.error.UnmatchedDivertException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A divert while its pipeline is being defined. Not thread-safe. */
final class DivertDraft {
  final Draft draft;
  private final Draft source;
  private final Map<String, Draft> arms = new LinkedHashMap<>();
  private final Set<String> twice = new HashSet<>();
  private boolean halts;
  private @Nullable Draft converge;
  private boolean typed;

  <T> DivertDraft(Draft source, String key, StepBody<T, String> selector) {
    Bodies.require(source, key, selector);
    this.source = source;
    this.draft =
        source.flow.add(
            key,
            NodeKind.DIVERT,
            TypeToken.of(String.class),
            List.of(source),
            (inputs, ctx) -> choose(selector.run(Bodies.<T>input(inputs, 0), ctx)));
    source.flow.add(this);
  }

  /** Wires an arm with what was diverted. */
  <T, R> void wire(String name, Function<Node<T>, Node<R>> wiring) {
    wire(
        name,
        () -> {
          Node<R> end = wiring == null ? null : wiring.apply(new Node<>(source));
          return end == null ? nothing(name) : end.draft;
        });
  }

  /** Wires an arm with what was diverted for each element. */
  <T, R> void wireEach(String name, Function<Each<T>, Each<R>> wiring) {
    wire(
        name,
        () -> {
          Each<R> end = wiring == null ? null : wiring.apply(new Each<>(source));
          return end == null ? nothing(name) : end.draft;
        });
  }

  private Draft nothing(String name) {
    throw new Bodies.BrokenOff(
        "The arm \"" + name + "\" of \"" + draft.key + "\" ends with null, not a node");
  }

  private void wire(String name, Supplier<Draft> wiring) {
    if (name == null) {
      throw new Bodies.BrokenOff("an arm of \"" + draft.key + "\" has no name: give it one");
    }
    Draft end = draft.flow.wireOn(new Draft.ArmPlace(draft, name), wiring);
    if (arms.putIfAbsent(name, end) != null) {
      twice.add(name);
    }
  }

  /** Halts the run where no arm matches. */
  void halts() {
    draft.flow.requireOpen();
    this.halts = true;
  }

  /** Brings the arms together; without a type, all of them must be of one. */
  Draft converge(@Nullable TypeToken<?> type) {
    List<Draft> inputs = new ArrayList<>(List.of(draft));
    inputs.addAll(arms.values());
    this.typed = type != null;
    TypeToken<?> of = type == null ? inputs.get(1).type : type;
    Draft end = draft.flow.add(draft.key + ":converge", NodeKind.CONVERGE, of, inputs);
    end.arms(List.copyOf(arms.keySet()));
    draft.arms(List.copyOf(arms.keySet()));
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
    throw new UnmatchedDivertException(draft.key, name, arms.keySet());
  }

  boolean isConverged() {
    return converge != null;
  }

  /** Whether it is brought together where it was diverted, not on an arm of another. */
  boolean isConvergedInPlace() {
    return converge == null || Objects.equals(converge.place, draft.place);
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

  private boolean isHere(Draft end) {
    return draft.isPerElement() ? end.spread() == draft.scope() : !end.isPerElement();
  }

  /** The arms whose values are not of the type of which all are said to be. */
  List<String> armsOfOtherTypes() {
    Draft end = converge;
    if (end == null || !typed) {
      return List.of();
    }
    return arms.entrySet().stream()
        .filter(arm -> !end.type.raw().isAssignableFrom(arm.getValue().type.raw()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether the arms end in values of different types, and nobody said which is theirs all. */
  boolean isOfSeveralTypes() {
    return !typed && arms.values().stream().map(end -> end.type.type()).distinct().count() > 1;
  }
}
