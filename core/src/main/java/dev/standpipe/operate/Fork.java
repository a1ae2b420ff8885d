package dev.standpipe.operate;

import dev.standpipe.internal.Required;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a fork changes. Immutable; each method returns a changed copy.
 *
 * @param input what the node gets, if it is not what it got in the original
 * @param values what it gets instead of the values of single nodes, by their keys
 * @param context whether it takes over what the steps before have set in the context
 */
public record Fork(Optional<Object> input, Map<String, Object> values, boolean context) {
  private static final Fork UNCHANGED = new Fork(Optional.empty(), Map.of(), true);

  /** Copies the map. */
  public Fork {
    values = Map.copyOf(values);
  }

  /** Nothing: the node gets what it got. */
  public static Fork unchanged() {
    return UNCHANGED;
  }

  /** Another input, for a node that gets one value. */
  public static Fork input(Object value) {
    return new Fork(Optional.of(Required.given(value, "input")), Map.of(), true);
  }

  /** Another value of a node whose value the forked node gets, for one that gets several. */
  public Fork value(String node, Object value) {
    Map<String, Object> more = new HashMap<>(values);
    more.put(Required.given(node, "node"), Required.given(value, "value"));
    return new Fork(input, more, context);
  }

  /** Begins with an empty context. */
  public Fork withoutContext() {
    return new Fork(input, values, false);
  }

  /** Whether the node gets anything else than it got. */
  public boolean isEdited() {
    return input.isPresent() || !values.isEmpty();
  }
}
