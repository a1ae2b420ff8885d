package dev.standpipe.internal.engine.claim;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.ResultKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the inputs of many tries with one query. A collapse reads its own, element by element.
 */
public final class InputLoader {
  private InputLoader() {}

  public static void fetch(Tasks tasks, Collection<Attempt> attempts) {
    List<Attempt> asking = new ArrayList<>();
    List<ResultKey> keys = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (attempt.inputs() == null && attempt.vertex.kind() != NodeKind.COLLAPSE) {
        asking.add(attempt);
        keys.addAll(attempt.inputKeys());
      }
    }
    FateLookup.find(tasks, attempts);
    List<@Nullable String> values = tasks.values(keys);
    int at = 0;
    for (Attempt attempt : asking) {
      int count = attempt.vertex.inputs().size();
      attempt.inputs(new ArrayList<>(values.subList(at, at + count)));
      at += count;
    }
  }
}
