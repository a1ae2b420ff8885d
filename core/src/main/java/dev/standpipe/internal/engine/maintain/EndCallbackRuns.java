package dev.standpipe.internal.engine.maintain;

import dev.standpipe.HaltReason;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.definition.EndCallbackGraphs;
import dev.standpipe.definition.Graph;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.RunLinks.EndCallbackRun;
import dev.standpipe.internal.EndedRun;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.RunEnds.Dispatch;
import dev.standpipe.internal.port.RunEnds.RunToStart;
import dev.standpipe.internal.port.Runs.Followed;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.spi.PayloadCodec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Makes the runs that follow the ends of others, of their hidden pipelines. Thread-safe. */
public final class EndCallbackRuns {
  private final Store store;
  private final PayloadCodec codec;
  private final Supplier<UUID> ids;
  private final Map<Integer, Graph> graphs = new ConcurrentHashMap<>();
  private final Map<Graph, Integer> lanes = new ConcurrentHashMap<>();

  public EndCallbackRuns(Store store, PayloadCodec codec, Supplier<UUID> ids) {
    this.store = store;
    this.codec = codec;
    this.ids = ids;
  }

  /** Looks up all that may follow the end of a run, before it is known how it has ended. */
  PreparedCallbacks prepare(UUID run) {
    Graph own = graph(run);
    UUID subject = EndCallback.COMPENSATE.isOf(own.pipeline()) ? original(run) : run;
    Graph graph = subject.equals(run) ? own : graph(subject);
    Map<EndCallback, Registered> hidden = new EnumMap<>(EndCallback.class);
    graph
        .endCallbacks()
        .all()
        .forEach(s -> hidden.put(s, registered(EndCallbackGraphs.of(graph, s))));
    return new PreparedCallbacks(subject, graph.output(), hidden);
  }

  /** Registers again what it starts from here on. */
  void forget() {
    lanes.clear();
    graphs.clear();
  }

  private Graph graph(UUID run) {
    int lane = store.runQueries().lane(run).orElseThrow(() -> new UnknownRunException(run));
    return graphs.computeIfAbsent(lane, l -> store.definitions().byLane(l).orElseThrow().graph());
  }

  private UUID original(UUID compensation) {
    return store
        .runQueries()
        .find(compensation)
        .flatMap(info -> info.links().endCallbackOf())
        .map(EndCallbackRun::run)
        .orElse(compensation);
  }

  private Registered registered(Graph graph) {
    return new Registered(
        lanes.computeIfAbsent(graph, g -> store.definitions().register(g)), graph);
  }

  /** Which callbacks an end calls for. */
  private static Set<EndCallback> due(RunInfo ended) {
    return switch (ended.status()) {
      case SUCCEEDED -> atAnyEnd(EndCallback.ON_SUCCESS);
      case HALTED -> atAnyEnd(EndCallback.ON_FAILURE, EndCallback.ON_HALT);
      case FAILED -> atAnyEnd(EndCallback.ON_FAILURE);
      case CANCELED, SKIPPED -> atAnyEnd();
      case COMPENSATING -> EnumSet.of(EndCallback.COMPENSATE);
      case COMPENSATED, COMPENSATION_FAILED ->
          ended.haltReason().filter(HaltReason.CANCELED::equals).isPresent()
              ? atAnyEnd()
              : atAnyEnd(EndCallback.ON_FAILURE, EndCallback.ON_HALT);
      case WAITING, RUNNING, PAUSED, HALTING, FINISHING, CANCELING ->
          throw new IllegalStateException("Run " + ended.id() + " has not ended");
    };
  }

  /** These, and those that follow every end. */
  private static Set<EndCallback> atAnyEnd(EndCallback... these) {
    Set<EndCallback> due = EnumSet.of(EndCallback.ON_COMPLETE, EndCallback.PUBLISH);
    Collections.addAll(due, these);
    return due;
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** All that may follow the end of one run; asks no database. */
  final class PreparedCallbacks {
    private final UUID subject;
    private final String output;
    private final Map<EndCallback, Registered> hidden;

    private PreparedCallbacks(UUID subject, String output, Map<EndCallback, Registered> hidden) {
      this.subject = subject;
      this.output = output;
      this.hidden = hidden;
    }

    /** The run whose end it is: of a compensation, that of the run it undoes. */
    UUID subject() {
      return subject;
    }

    /** What follows such an end. */
    List<Dispatch> dispatches(RunInfo ended) {
      Set<EndCallback> due = due(ended);
      List<Dispatch> dispatches = new ArrayList<>();
      hidden.forEach(
          (endCallback, pipeline) -> {
            if (due.contains(endCallback)) {
              dispatches.add(dispatch(endCallback, pipeline, ended));
            }
          });
      return dispatches;
    }

    private Dispatch dispatch(EndCallback endCallback, Registered pipeline, RunInfo ended) {
      EndedRun input =
          new EndedRun(
              ended.id().toString(),
              ended.pipeline(),
              word(ended.status()),
              ended.haltReason().map(EndCallbackRuns::word).orElse(null),
              ended.haltNode().orElse(null),
              output);
      NewRun run =
          new NewRun(
              ids.get(),
              null,
              null,
              ended.priority(),
              Labels.write(Map.of()),
              codec.encode(input, EndedRun.class),
              0,
              null,
              endCallback == EndCallback.COMPENSATE ? Followed.YES : Followed.NOT);
      RunToStart start = new RunToStart(pipeline, run, Starter.entries(pipeline.graph()));
      return new Dispatch(word(endCallback), start);
    }
  }
}
