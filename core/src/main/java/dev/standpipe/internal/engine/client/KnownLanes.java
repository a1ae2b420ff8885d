package dev.standpipe.internal.engine.client;

import dev.standpipe.definition.Graph;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.LaneGoneException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/**
 * The lanes of the definitions that this process has registered. A failover may lose a definition
 * and give its lane to another one, so a lane is only remembered until a start says that it is
 * gone. Thread-safe.
 */
final class KnownLanes {
  private final Definitions definitions;
  private final OutageRetry outages;
  private final Map<String, Integer> lanes = new ConcurrentHashMap<>();

  KnownLanes(Definitions definitions, OutageRetry outages) {
    this.definitions = definitions;
    this.outages = outages;
  }

  /** The definition's lane; registers the definition if it is not known. */
  int of(Graph graph) {
    return lanes.computeIfAbsent(
        graph.hash(), hash -> outages.reading(() -> definitions.register(graph)));
  }

  boolean isKnown(Graph graph) {
    return lanes.containsKey(graph.hash());
  }

  void forget(Graph graph) {
    lanes.remove(graph.hash());
  }

  /** Starts in the lane that is remembered; if its definition was lost, in the one it gets now. */
  <T> T startIn(Graph graph, IntFunction<T> start) {
    int lane = of(graph);
    try {
      return start.apply(lane);
    } catch (LaneGoneException e) {
      lanes.remove(graph.hash(), lane);
      return start.apply(of(graph));
    }
  }
}
