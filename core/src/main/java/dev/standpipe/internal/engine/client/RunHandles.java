package dev.standpipe.internal.engine.client;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.Graph;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.internal.port.Definitions;
import dev.standpipe.internal.port.RunQueries;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Makes the handles of runs that were started here, and of runs that are found. Thread-safe. */
final class RunHandles {
  /** A handle keeps the ids of its siblings, so there are few. */
  private static final int MOST_SIBLINGS = 256;

  private final Definitions definitions;
  private final RunHandle.RunHandleDeps deps;
  private AwaitReadAhead siblings = new AwaitReadAhead();

  RunHandles(Definitions definitions, RunHandle.RunHandleDeps deps) {
    this.definitions = definitions;
    this.deps = deps;
  }

  /** Runs that were started together just now. */
  <O> List<Run<O>> started(List<UUID> ids, Pipeline<?, O> pipeline) {
    AwaitReadAhead among = siblings(ids.size());
    return ids.stream().map(id -> this.<O>started(id, pipeline, among)).toList();
  }

  private <O> Run<O> started(UUID id, Pipeline<?, O> pipeline, AwaitReadAhead among) {
    StartedRun run = StartedRun.now(id, pipeline.graph().output(), among);
    return new RunHandle<>(run, pipeline.name(), pipeline.outputType(), deps);
  }

  /** The siblings of so many runs that are started: one by one, or a batch of their own. */
  private synchronized AwaitReadAhead siblings(int more) {
    if (more > 1) {
      return new AwaitReadAhead();
    }
    if (siblings.size() >= MOST_SIBLINGS) {
      siblings = new AwaitReadAhead();
    }
    return siblings;
  }

  /** A run of this graph that may have been started long ago. */
  <O> Run<O> of(UUID id, Graph graph, TypeToken<O> type) {
    return new RunHandle<>(StartedRun.before(id, graph.output()), graph.pipeline(), type, deps);
  }

  /** A run by its id. */
  Run<Object> find(UUID id) {
    Arguments.require(id != null, "Give the id of the run");
    int lane =
        deps.outages()
            .reading(() -> deps.runs().lane(id))
            .orElseThrow(() -> new UnknownRunException(id));
    Graph graph =
        deps.outages()
            .reading(() -> definitions.byLane(lane))
            .orElseThrow(() -> undefined(id, lane))
            .graph();
    return of(id, graph, TypeToken.of(Object.class));
  }

  private static StandpipeException undefined(UUID run, int lane) {
    return new StandpipeException(
        ErrorCode.UNKNOWN_LANE,
        "Run %s is in lane %d, which is not in the database: ask for it with its pipeline, and"
                .formatted(run, lane)
            + " let the doctor tell which others there are.");
  }

  /** A run of this pipeline by its id. */
  <O> Run<O> find(Pipeline<?, O> pipeline, UUID id) {
    Arguments.require(pipeline != null && id != null, "Give the pipeline and the id of the run");
    RunInfo info =
        deps.outages()
            .reading(() -> deps.runs().find(id))
            .orElseThrow(() -> new UnknownRunException(id));
    if (!info.pipeline().equals(pipeline.name())) {
      throw new UnknownRunException(id);
    }
    return of(id, pipeline.graph(), pipeline.outputType());
  }

  /** A run by its pipeline's name and its key. */
  Optional<Run<Object>> find(String pipeline, String key) {
    return keyed(pipeline, key).map(this::find);
  }

  /** A run of this pipeline by its key. */
  <O> Optional<Run<O>> find(Pipeline<?, O> pipeline, String key) {
    return keyed(pipeline.name(), key).map(id -> of(id, pipeline.graph(), pipeline.outputType()));
  }

  private Optional<UUID> keyed(String pipeline, String key) {
    return deps.runs().keyed(pipeline, List.of(key)).stream().map(RunQueries.Keyed::id).findFirst();
  }
}
