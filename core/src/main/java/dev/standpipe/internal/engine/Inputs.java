package dev.standpipe.internal.engine;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.ResultKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Fetches the inputs of many tries with one query. A collapse reads its own, element by element.
 */
final class Inputs {
  private Inputs() {}

  static void fetch(Tasks tasks, Collection<Work> works) {
    List<Work> asking = new ArrayList<>();
    List<ResultKey> keys = new ArrayList<>();
    for (Work work : works) {
      if (work.inputs() == null && work.vertex.kind() != NodeKind.COLLAPSE) {
        asking.add(work);
        keys.addAll(work.inputKeys());
      }
    }
    Fates.find(tasks, works);
    List<@Nullable String> values = tasks.values(keys);
    int at = 0;
    for (Work work : asking) {
      int count = work.vertex.inputs().size();
      work.inputs(new ArrayList<>(values.subList(at, at + count)));
      at += count;
    }
  }
}
