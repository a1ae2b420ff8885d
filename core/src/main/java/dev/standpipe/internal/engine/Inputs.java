package dev.standpipe.internal.engine;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Ending;
import dev.standpipe.internal.coordinate.Fate;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.NodeEnding;
import dev.standpipe.spi.Tasks.NodeKey;
import dev.standpipe.spi.Tasks.ResultKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
    skip(tasks, works);
    List<@Nullable String> values = tasks.values(keys);
    int at = 0;
    for (Work work : asking) {
      int count = work.vertex.inputs().size();
      work.inputs(new ArrayList<>(values.subList(at, at + count)));
      at += count;
    }
  }

  /** Finds out which of them are to be skipped, where that could not be known before. */
  private static void skip(Tasks tasks, Collection<Work> works) {
    List<NodeKey> keys = new ArrayList<>();
    for (Work work : works) {
      if (work.vertex.isUncertain()) {
        before(work.vertex).forEach(v -> keys.add(asked(work, v)));
      }
    }
    Iterator<NodeEnding> endings = tasks.endings(keys).iterator();
    for (Work work : works) {
      if (work.vertex.isUncertain()) {
        Map<Vertex, Ending> ended = new HashMap<>();
        before(work.vertex).forEach(v -> ended.put(v, ending(v, endings.next())));
        if (Fate.isSkipped(work.vertex, ended::get)) {
          work.skip();
        }
      }
    }
  }

  /** An element asks about what is for itself alone, others about all elements at once. */
  private static NodeKey asked(Work work, Vertex before) {
    if (work.vertex.scope() == null) {
      return new NodeKey(work.run, before.key());
    }
    if (work.vertex.scope() == before) {
      return new NodeKey(work.run, before.key(), work.index);
    }
    Vertex seen = before.seenFrom(work.vertex);
    return new NodeKey(work.run, seen.key(), Planner.skipIndex(seen, work.index));
  }

  private static Set<Vertex> before(Vertex vertex) {
    Set<Vertex> before = new LinkedHashSet<>(vertex.awaited());
    before.addAll(vertex.inputs());
    return before;
  }

  private static Ending ending(Vertex vertex, NodeEnding ended) {
    if (ended.skipped()) {
      return Ending.SKIPPED;
    }
    String value = ended.value();
    return vertex.kind() == NodeKind.DIVERT && value != null
        ? Ending.diverted(ArmValue.read(value))
        : Ending.SUCCEEDED;
  }
}
