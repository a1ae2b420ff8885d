package dev.standpipe.internal.coordinate;

import static dev.standpipe.internal.coordinate.ModelNodes.WIDTH;

import dev.standpipe.internal.coordinate.Model.Kind;
import dev.standpipe.internal.coordinate.Model.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;

/**
 * The elements that steps run for, by their indexes alone: those of one expand inside another have
 * {@link ModelNodes#WIDTH} indexes for each element outside.
 */
final class ModelElements {
  private final ModelNodes nodes;

  ModelElements(ModelNodes nodes) {
    this.nodes = nodes;
  }

  /** The first elements of an expand, by its key and their own indexes. */
  List<Step> first(int count, Step expand) {
    int first = nodes.expand(expand.key()).isEmpty() ? 0 : expand.index() * WIDTH;
    return IntStream.range(first, first + count)
        .mapToObj(index -> new Step(expand.key(), index))
        .toList();
  }

  /** The steps of a node, given those of an expand and how many elements each of them yields. */
  List<Step> steps(String key, Function<String, List<Step>> expands, ToIntFunction<Step> count) {
    String expand = nodes.expand(key);
    if (expand.isEmpty()) {
      return List.of(new Step(key, 0));
    }
    return expands.apply(expand).stream()
        .flatMap(step -> first(count.applyAsInt(step), step).stream())
        .map(element -> new Step(key, element.index()))
        .toList();
  }

  /** Every step of a node there could be, whatever is skipped or fails. */
  List<Step> possible(String key) {
    return steps(key, this::possible, nodes::elements);
  }

  /** The expand that yielded the element of this index. */
  Step expandOf(String expand, int element) {
    return new Step(expand, nodes.expand(expand).isEmpty() ? 0 : element / WIDTH);
  }

  /** The step of a node for the element outside which, or in which, another step runs. */
  Step around(String key, Step step) {
    int index = step.index();
    for (String at = nodes.expand(step.key());
        !at.equals(nodes.expand(key));
        at = nodes.expand(at)) {
      index = expandOf(at, index).index();
    }
    return new Step(key, index);
  }

  /** What gives its value to a step below an expand: that expand, or a step of the same element. */
  Step inputOf(Step element, String input) {
    boolean first = input.equals(nodes.expand(element.key()));
    return first ? expandOf(input, element.index()) : new Step(input, element.index());
  }

  /** Whether both run below one expand, for different elements of it. */
  boolean areApart(Step one, Step other) {
    Map<String, Integer> below = places(one);
    return places(other).entrySet().stream()
        .anyMatch(at -> below.getOrDefault(at.getKey(), at.getValue()) != at.getValue().intValue());
  }

  /** For which element of each expand around it a step runs. */
  private Map<String, Integer> places(Step step) {
    Map<String, Integer> places = new HashMap<>();
    int index = step.index();
    for (String at = nodes.expand(step.key()); !at.isEmpty(); at = nodes.expand(at)) {
      places.put(at, index);
      index = expandOf(at, index).index();
    }
    return places;
  }

  /** The expand around a node that is in no other. */
  String outermost(String key) {
    return nodes.expand(key).isEmpty() ? key : outermost(nodes.expand(key));
  }

  /** The expand whose elements, or whose elements' values, a node gives. */
  String spread(String key) {
    return nodes.kind(key) == Kind.EXPAND ? key : nodes.expand(key);
  }

  /** Whether a node is a collapse inside of an expand. */
  boolean bringsTogether(String key) {
    return nodes.kind(key) == Kind.ONCE
        && !nodes.expand(key).isEmpty()
        && !spread(nodes.inputs(key).get(0)).equals(nodes.expand(key));
  }
}
