package dev.standpipe.internal.engine.commit;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks.ResultKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values that this process has just committed and that a join waits for: they spare it a query. Few
 * and small ones, forgotten in the order they came; a join reads what is not here. Thread-safe.
 */
final class RecentResults {
  static final int MOST = 8_000;
  static final int LONGEST = 500;

  private final Map<ResultKey, String> values =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ResultKey, String> eldest) {
          return size() > MOST;
        }
      };

  /** Keeps the value of a step that has arrived at a target. */
  synchronized void note(Attempt step, Vertex target, String value) {
    boolean wanted = target.kind() != NodeKind.COLLAPSE && target.inputs().contains(step.vertex);
    if (wanted && value.length() <= LONGEST) {
      values.put(step.resultKey(), value);
    }
  }

  /** Takes all of a join's inputs, unless one of them is not here. */
  synchronized Optional<List<@Nullable String>> take(Attempt join) {
    List<ResultKey> keys = join.inputKeys();
    if (!values.keySet().containsAll(keys)) {
      return Optional.empty();
    }
    List<@Nullable String> inputs = new ArrayList<>(keys.size());
    keys.forEach(key -> inputs.add(values.get(key)));
    keys.forEach(values::remove);
    return Optional.of(inputs);
  }
}
