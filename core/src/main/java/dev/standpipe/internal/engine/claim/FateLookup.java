package dev.standpipe.internal.engine.claim;

import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import dev.standpipe.definition.Vertex;
import dev.standpipe.internal.coordinate.Ending;
import dev.standpipe.internal.coordinate.Fate;
import dev.standpipe.internal.engine.commit.SettlementPlanner;
import dev.standpipe.internal.engine.execute.ArmValue;
import dev.standpipe.internal.engine.execute.Attempt;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.NodeEnding;
import dev.standpipe.internal.port.Tasks.NodeKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Finds out which tries are to run at all, where that could not be known before. */
final class FateLookup {
  private FateLookup() {}

  static void find(Tasks tasks, Collection<Attempt> works) {
    List<NodeKey> keys = new ArrayList<>();
    for (Attempt work : works) {
      if (work.vertex.isUncertain()) {
        before(work.vertex).forEach(v -> keys.add(asked(work, v)));
      }
    }
    Iterator<NodeEnding> endings = tasks.endings(keys).iterator();
    for (Attempt work : works) {
      if (work.vertex.isUncertain()) {
        Map<Vertex, Ending> ended = new HashMap<>();
        before(work.vertex).forEach(v -> ended.put(v, ending(v, endings.next())));
        work.fate(Fate.of(work.vertex, ended::get));
      }
    }
    halt(tasks, works);
  }

  /** In a run that outlives a failure only in its shelter, all else is lost when its turn comes. */
  private static void halt(Tasks tasks, Collection<Attempt> works) {
    List<Attempt> asking =
        works.stream().filter(work -> !work.pipeline.graph().ignoredFailures().isEmpty()).toList();
    if (asking.isEmpty()) {
      return;
    }
    Map<UUID, Set<String>> failed = new HashMap<>();
    asking.forEach(work -> failed.put(work.run, new HashSet<>()));
    for (NodeKey key : tasks.outlived(failed.keySet())) {
      failed.getOrDefault(key.run(), new HashSet<>()).add(key.node());
    }
    for (Attempt work : asking) {
      Set<String> nodes = failed.getOrDefault(work.run, Set.of());
      if (work.fate() == Fate.RUNS
          && !work.pipeline.graph().ignoredFailures().allow(work.vertex, nodes)) {
        work.fate(Fate.LOST);
      }
    }
  }

  /** An element asks about what is for itself alone, others about all elements at once. */
  private static NodeKey asked(Attempt work, Vertex before) {
    if (work.vertex.scope() == null) {
      return new NodeKey(work.run, before.key());
    }
    if (work.vertex.scope() == before) {
      return new NodeKey(work.run, before.key(), work.index);
    }
    Vertex seen = before.seenFrom(work.vertex);
    return new NodeKey(work.run, seen.key(), SettlementPlanner.skipIndex(seen, work.index));
  }

  private static Set<Vertex> before(Vertex vertex) {
    Set<Vertex> before = new LinkedHashSet<>(vertex.awaited());
    before.addAll(vertex.inputs());
    return before;
  }

  private static Ending ending(Vertex vertex, NodeEnding ended) {
    if (ended.lost() || (ended.failed() && vertex.strategy() != Strategy.IGNORE)) {
      return Ending.LOST;
    }
    if (ended.skipped()) {
      return Ending.SKIPPED;
    }
    String value = ended.value();
    return vertex.kind() == NodeKind.DIVERT && value != null
        ? Ending.diverted(ArmValue.read(value))
        : Ending.SUCCEEDED;
  }
}
