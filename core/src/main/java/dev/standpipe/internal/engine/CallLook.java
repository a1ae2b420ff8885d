package dev.standpipe.internal.engine;

import dev.standpipe.CallFailedException;
import dev.standpipe.Pipeline;
import dev.standpipe.RunInfo;
import dev.standpipe.RunStatus;
import dev.standpipe.StepDefinition;
import dev.standpipe.StepId;
import dev.standpipe.UnknownRunException;
import dev.standpipe.definition.Graph;
import dev.standpipe.internal.store.Labels;
import dev.standpipe.internal.store.LaneGoneException;
import dev.standpipe.internal.store.StoreException;
import dev.standpipe.spi.Calls.Called;
import dev.standpipe.spi.Definitions.Registered;
import dev.standpipe.spi.Follows;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Runs.NewRun;
import dev.standpipe.spi.Store;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a call does instead of running a body: starts the run it calls, once, and waits; taken up
 * again when that has ended, makes its result its own. It looks how that run is doing whenever it
 * is taken up, so that nothing depends on what woke it. Thread-safe.
 */
final class CallLook {
  private final Store store;
  private final PayloadCodec codec;
  private final Supplier<UUID> ids;
  private final Map<Graph, Integer> lanes = new ConcurrentHashMap<>();

  CallLook(Store store, PayloadCodec codec, Supplier<UUID> ids) {
    this.store = store;
    this.codec = codec;
    this.ids = ids;
  }

  Outcome.Ending look(Work work, StepDefinition step) {
    try {
      return look(work, step.calls().orElseThrow());
    } catch (StoreException e) { // not the call's fault
      return new Outcome.GivenBack();
    }
  }

  private Outcome.Ending look(Work work, Pipeline<?, ?> pipeline) {
    StepId caller = new StepId(work.run, work.vertex.key(), work.index);
    Optional<Called> last = store.calls().listen(caller);
    if (last.isEmpty()) {
      return call(work, caller, 1, pipeline);
    }
    Called called = last.get();
    RunInfo run = find(called.run());
    if (!run.status().isTerminal()) {
      return new Outcome.Waits(Optional.empty());
    }
    if (run.status() == RunStatus.SUCCEEDED) {
      return new Outcome.Returned(List.of(result(run.id(), pipeline)));
    }
    if (called.spent().isPresent() && called.spent().getAsInt() < work.attempt) {
      return call(work, caller, called.nth() + 1, pipeline);
    }
    store.calls().spend(run.id(), work.attempt);
    return new Outcome.Threw(Failure.of(work, new CallFailedException(run)), false);
  }

  private String result(UUID run, Pipeline<?, ?> pipeline) {
    return store
        .runs()
        .output(run, pipeline.graph().output())
        .orElseGet(() -> codec.encode(null, Void.class));
  }

  /** With the caller's priority and labels, on the value before the call. */
  private Outcome.Ending call(Work work, StepId caller, int nth, Pipeline<?, ?> pipeline) {
    RunInfo parent = find(work.run);
    Graph graph = pipeline.graph();
    int lane = lanes.computeIfAbsent(graph, g -> store.definitions().register(g));
    NewRun run =
        new NewRun(
            ids.get(),
            null,
            null,
            parent.priority(),
            Labels.write(parent.labels()),
            input(work, pipeline),
            0,
            null,
            Starter.followedIfCalled(graph));
    Follows.Start start =
        new Follows.Start(new Registered(lane, graph), run, Starter.entries(graph));
    try {
      return store.calls().call(caller, nth, start).isPresent()
          ? new Outcome.Waits(Optional.empty())
          : new Outcome.GivenBack();
    } catch (LaneGoneException e) { // lost with a failover: whoever takes it next registers it
      lanes.remove(graph, lane);
      return new Outcome.GivenBack();
    }
  }

  /** As it was stored, unless the called pipeline declares another type for it. */
  private String input(Work work, Pipeline<?, ?> pipeline) {
    List<@Nullable String> inputs = work.inputs();
    String input = inputs == null ? null : inputs.get(0);
    if (input == null) {
      return codec.encode(null, Void.class);
    }
    Type from = work.pipeline.step(work.vertex.inputs().get(0).key()).orElseThrow().type().type();
    return Retyped.text(input, from, pipeline.inputType().type(), codec);
  }

  private RunInfo find(UUID run) {
    return store.runs().find(run).orElseThrow(() -> new UnknownRunException(run));
  }
}
