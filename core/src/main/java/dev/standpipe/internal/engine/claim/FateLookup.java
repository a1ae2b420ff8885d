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

/** Asks which claimed tries run and which are skipped, where earlier commits could not tell. */
final class FateLookup {
  private FateLookup() {}

  static void find(Tasks tasks, Collection<Attempt> attempts) {
    List<NodeKey> keys = new ArrayList<>();
    for (Attempt attempt : attempts) {
      if (attempt.vertex.isUncertain()) {
        before(attempt.vertex).forEach(v -> keys.add(asked(attempt, v)));
      }
    }
    Iterator<NodeEnding> endings = tasks.endings(keys).iterator();
    for (Attempt attempt : attempts) {
      if (attempt.vertex.isUncertain()) {
        Map<Vertex, Ending> ended = new HashMap<>();
        before(attempt.vertex).forEach(v -> ended.put(v, ending(v, endings.next())));
        attempt.fate(Fate.of(attempt.vertex, ended::get));
      }
    }
    halt(tasks, attempts);
  }

  /** In a run that outlives a failure only in its shelter, all else is lost when its turn comes. */
  private static void halt(Tasks tasks, Collection<Attempt> attempts) {
    List<Attempt> asking =
        attempts.stream()
            .filter(attempt -> !attempt.pipeline.graph().ignoredFailures().isEmpty())
            .toList();
    if (asking.isEmpty()) {
      return;
    }
    Map<UUID, Set<String>> failed = new HashMap<>();
    asking.forEach(attempt -> failed.put(attempt.run, new HashSet<>()));
    for (NodeKey key : tasks.tolerated(failed.keySet())) {
      failed.getOrDefault(key.run(), new HashSet<>()).add(key.node());
    }
    for (Attempt attempt : asking) {
      Set<String> nodes = failed.getOrDefault(attempt.run, Set.of());
      if (attempt.fate() == Fate.RUNS
          && !attempt.pipeline.graph().ignoredFailures().allow(attempt.vertex, nodes)) {
        attempt.fate(Fate.LOST);
      }
    }
  }

  /** An element asks about what is for itself alone, others about all elements at once. */
  private static NodeKey asked(Attempt attempt, Vertex before) {
    if (attempt.vertex.scope() == null) {
      return new NodeKey(attempt.run, before.key());
    }
    if (attempt.vertex.scope() == before) {
      return new NodeKey(attempt.run, before.key(), attempt.index);
    }
    Vertex seen = before.seenFrom(attempt.vertex);
    return new NodeKey(attempt.run, seen.key(), SettlementPlanner.skipIndex(seen, attempt.index));
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
