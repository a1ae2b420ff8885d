package dev.standpipe.internal.engine.operate;

import dev.standpipe.Pipeline;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Vertex;
import dev.standpipe.error.NotForkableException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.coordinate.Forking;
import dev.standpipe.internal.coordinate.Resumption;
import dev.standpipe.internal.engine.Engine;
import dev.standpipe.internal.engine.client.ExternalValue;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.engine.commit.SettlementPlanner;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.internal.port.Quarantines.Resume;
import dev.standpipe.internal.port.Runs.Begin;
import dev.standpipe.internal.port.Runs.Forked;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.operate.Fork;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Starts forks: runs that take over the finished steps of another run, and go on from one of its
 * nodes.
 */
public final class Forker {
  private final Store store;
  private final PayloadCodec codec;
  private final @Nullable Engine engine;

  public Forker(Store store, PayloadCodec codec, @Nullable Engine engine) {
    this.store = store;
    this.codec = codec;
    this.engine = engine;
  }

  /**
   * Forks a run.
   *
   * @param fresh the id of the new run
   * @return what the new run begins with
   */
  Resume fork(RunInfo original, String node, Fork options, UUID fresh, Audited audited) {
    int lane = store.runQueries().lane(original.id()).orElseThrow();
    Registered definition = store.definitions().byLane(lane).orElseThrow();
    Graph graph = definition.graph();
    requireNotUndone(original, node);
    Vertex at = at(original.id(), graph, node);
    Forking forking = new Forking(graph, at);
    Map<String, String> edited = edited(original.id(), at, options, lane);
    String input = edited.remove(GraphNode.INPUT_KEY);
    NewRun run = like(original, fresh, input == null ? input(original.id(), node) : input, graph);
    return store
        .runs()
        .fork(
            definition,
            new Forked(original.id(), node, run, forking.redone(), edited, options.context()),
            taken ->
                begin(original.id(), run.id(), forking, RevivePlanner.resumption(graph, taken)),
            audited);
  }

  private static void requireNotUndone(RunInfo original, String node) {
    switch (original.status()) {
      case COMPENSATING, COMPENSATED, COMPENSATION_FAILED ->
          throw NotForkableException.compensated(original.id(), node);
      case WAITING,
          RUNNING,
          PAUSED,
          FINISHING,
          HALTING,
          CANCELING,
          SUCCEEDED,
          HALTED,
          FAILED,
          CANCELED,
          SKIPPED -> {}
    }
  }

  private static Begin begin(UUID original, UUID run, Forking forking, Resumption resumption) {
    Set<String> missing = forking.missing(resumption);
    if (!missing.isEmpty()) {
      throw NotForkableException.unfinished(original, forking.at().key(), missing);
    }
    if (forking.isSkipped(resumption)) {
      throw NotForkableException.skipped(original, forking.at().key());
    }
    return new Begin(
        RevivePlanner.resume(run, forking.graph(), resumption),
        resumption.skips().stream().map(SettlementPlanner::skip).toList());
  }

  /** A run with the original's priority and labels; its key stays with it. */
  private static NewRun like(RunInfo original, UUID id, String input, Graph graph) {
    String labels = Labels.write(original.labels());
    return new NewRun(
        id, null, null, original.priority(), labels, input, 0, null, Starter.followed(graph));
  }

  /** A run that waited for another's result has no input before it begins. */
  private String input(UUID run, String node) {
    return store
        .runQueries()
        .value(run, GraphNode.INPUT_KEY, 0)
        .orElseThrow(() -> NotForkableException.neverBegun(run, node));
  }

  private static Vertex at(UUID run, Graph graph, String node) {
    @Nullable Vertex at = graph.find(node);
    if (at == null || at.kind() == NodeKind.INPUT) {
      List<String> nodes =
          graph.nodes().stream()
              .filter(one -> one.kind() != NodeKind.INPUT)
              .map(GraphNode::key)
              .toList();
      throw NotForkableException.noNode(run, node, nodes);
    }
    return at;
  }

  /** The values that take the place of others, encoded. */
  private Map<String, String> edited(UUID run, Vertex at, Fork options, int lane) {
    if (!options.isEdited()) {
      return new HashMap<>();
    }
    if (at.scope() != null || at.kind() == NodeKind.COLLAPSE) {
      throw NotForkableException.elements(run, at.key());
    }
    List<String> inputs =
        at.inputs().stream()
            .filter(input -> input.kind() != NodeKind.DIVERT) // whose value is an arm
            .map(Vertex::key)
            .distinct()
            .toList();
    Map<String, Object> values = new HashMap<>(options.values());
    if (options.input().isPresent() && inputs.size() == 1) {
      values.put(inputs.get(0), options.input().get());
    } else if (options.input().isPresent()) {
      throw NotForkableException.otherInputs(run, at.key(), inputs);
    }
    if (!new HashSet<>(inputs).containsAll(values.keySet())) {
      throw NotForkableException.otherInputs(run, at.key(), inputs);
    }
    Map<String, String> edited = new HashMap<>();
    values.forEach(
        (key, value) -> edited.put(key, new ExternalValue(value, type(lane, key)).text(codec)));
    return edited;
  }

  /** The declared type, in a process that has the pipeline's code. */
  private @Nullable Type type(int lane, String node) {
    Pipeline<?, ?> pipeline = engine == null ? null : engine.served(lane);
    return pipeline == null ? null : pipeline.step(node).orElseThrow().type().type();
  }
}
