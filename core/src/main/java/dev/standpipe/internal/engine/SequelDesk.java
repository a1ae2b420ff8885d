package dev.standpipe.internal.engine;

import dev.standpipe.HaltReason;
import dev.standpipe.RunInfo;
import dev.standpipe.RunLinks.SequelRun;
import dev.standpipe.UnknownRunException;
import dev.standpipe.definition.Graph;
import dev.standpipe.definition.Sequel;
import dev.standpipe.definition.SequelGraphs;
import dev.standpipe.internal.store.Labels;
import dev.standpipe.spi.Definitions.Registered;
import dev.standpipe.spi.EndedRun;
import dev.standpipe.spi.Follows.Dispatch;
import dev.standpipe.spi.Follows.Start;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Runs.Followed;
import dev.standpipe.spi.Runs.NewRun;
import dev.standpipe.spi.Store;
import java.util.ArrayList;
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
final class SequelDesk {
  private final Store store;
  private final PayloadCodec codec;
  private final Supplier<UUID> ids;
  private final Map<Integer, Graph> graphs = new ConcurrentHashMap<>();
  private final Map<Graph, Integer> lanes = new ConcurrentHashMap<>();

  SequelDesk(Store store, PayloadCodec codec, Supplier<UUID> ids) {
    this.store = store;
    this.codec = codec;
    this.ids = ids;
  }

  /** Looks up all that may follow the end of a run, before it is known how it has ended. */
  Prepared prepare(UUID run) {
    Graph own = graph(run);
    UUID subject = Sequel.COMPENSATE.isOf(own.pipeline()) ? original(run) : run;
    Graph graph = subject.equals(run) ? own : graph(subject);
    Map<Sequel, Registered> hidden = new EnumMap<>(Sequel.class);
    graph.sequels().all().forEach(s -> hidden.put(s, registered(SequelGraphs.of(graph, s))));
    return new Prepared(subject, graph.output(), hidden);
  }

  /** Registers again what it starts from here on. */
  void forget() {
    lanes.clear();
    graphs.clear();
  }

  private Graph graph(UUID run) {
    int lane = store.runs().lane(run).orElseThrow(() -> new UnknownRunException(run));
    return graphs.computeIfAbsent(lane, l -> store.definitions().byLane(l).orElseThrow().graph());
  }

  private UUID original(UUID compensation) {
    return store
        .runs()
        .find(compensation)
        .flatMap(info -> info.links().sequelOf())
        .map(SequelRun::run)
        .orElse(compensation);
  }

  private Registered registered(Graph graph) {
    return new Registered(
        lanes.computeIfAbsent(graph, g -> store.definitions().register(g)), graph);
  }

  /** Which sequels an end calls for. */
  private static Set<Sequel> due(RunInfo ended) {
    return switch (ended.status()) {
      case SUCCEEDED -> EnumSet.of(Sequel.ON_SUCCESS, Sequel.ON_COMPLETE);
      case HALTED -> EnumSet.of(Sequel.ON_FAILURE, Sequel.ON_HALT, Sequel.ON_COMPLETE);
      case FAILED -> EnumSet.of(Sequel.ON_FAILURE, Sequel.ON_COMPLETE);
      case CANCELED, SKIPPED -> EnumSet.of(Sequel.ON_COMPLETE);
      case COMPENSATING -> EnumSet.of(Sequel.COMPENSATE);
      case COMPENSATED, COMPENSATION_FAILED ->
          ended.haltReason().filter(HaltReason.CANCELED::equals).isPresent()
              ? EnumSet.of(Sequel.ON_COMPLETE)
              : EnumSet.of(Sequel.ON_FAILURE, Sequel.ON_HALT, Sequel.ON_COMPLETE);
      case WAITING, RUNNING, PAUSED, HALTING, FINISHING, CANCELING ->
          throw new IllegalStateException("Run " + ended.id() + " has not ended");
    };
  }

  private static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  /** All that may follow the end of one run; asks no database. */
  final class Prepared {
    private final UUID subject;
    private final String output;
    private final Map<Sequel, Registered> hidden;

    private Prepared(UUID subject, String output, Map<Sequel, Registered> hidden) {
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
      Set<Sequel> due = due(ended);
      List<Dispatch> dispatches = new ArrayList<>();
      hidden.forEach(
          (sequel, pipeline) -> {
            if (due.contains(sequel)) {
              dispatches.add(dispatch(sequel, pipeline, ended));
            }
          });
      return dispatches;
    }

    private Dispatch dispatch(Sequel sequel, Registered pipeline, RunInfo ended) {
      EndedRun input =
          new EndedRun(
              ended.id().toString(),
              ended.pipeline(),
              word(ended.status()),
              ended.haltReason().map(SequelDesk::word).orElse(null),
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
              sequel == Sequel.COMPENSATE ? Followed.YES : Followed.NOT);
      Start start = new Start(pipeline, run, Starter.entries(pipeline.graph()));
      return new Dispatch(word(sequel), start);
    }
  }
}
