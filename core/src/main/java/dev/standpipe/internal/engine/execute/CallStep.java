package dev.standpipe.internal.engine.execute;

import dev.standpipe.Pipeline;
import dev.standpipe.RunStatus;
import dev.standpipe.StepDefinition;
import dev.standpipe.definition.Graph;
import dev.standpipe.error.CallFailedException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepId;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.port.Calls.Called;
import dev.standpipe.internal.port.Definitions.Registered;
import dev.standpipe.internal.port.LaneGoneException;
import dev.standpipe.internal.port.RunEnds;
import dev.standpipe.internal.port.Runs.NewRun;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a call, which has no body: starts the called run, once, and waits. When the called run has
 * ended, a process takes the call up again and makes the run's result its value. It looks at the
 * called run whenever it is taken up, so that nothing depends on what woke it. Thread-safe.
 */
final class CallStep {
  private final Store store;
  private final PayloadCodec codec;
  private final Supplier<UUID> ids;
  private final Map<Graph, Integer> lanes = new ConcurrentHashMap<>();

  CallStep(Store store, PayloadCodec codec, Supplier<UUID> ids) {
    this.store = store;
    this.codec = codec;
    this.ids = ids;
  }

  Outcome.AttemptEnding look(Attempt attempt, StepDefinition step) {
    try {
      return look(attempt, step.calls().orElseThrow());
    } catch (StoreException e) { // not the call's fault
      return new Outcome.GivenBack();
    }
  }

  private Outcome.AttemptEnding look(Attempt attempt, Pipeline<?, ?> pipeline) {
    StepId caller = new StepId(attempt.run, attempt.vertex.key(), attempt.index);
    Optional<Called> last = store.calls().listen(caller);
    if (last.isEmpty()) {
      return call(attempt, caller, 1, pipeline);
    }
    Called called = last.get();
    RunInfo run = find(called.run());
    if (!run.status().isTerminal()) {
      return new Outcome.Waits(Optional.empty());
    }
    if (run.status() == RunStatus.SUCCEEDED) {
      return new Outcome.Returned(List.of(result(run.id(), pipeline)));
    }
    if (called.spent().isPresent() && called.spent().getAsInt() < attempt.number) {
      return call(attempt, caller, called.nth() + 1, pipeline);
    }
    store.calls().spend(run.id(), attempt.number);
    return new Outcome.Threw(AttemptFailure.of(attempt, new CallFailedException(run)), false);
  }

  private String result(UUID run, Pipeline<?, ?> pipeline) {
    return store
        .runQueries()
        .output(run, pipeline.graph().output())
        .orElseGet(() -> codec.encode(null, Void.class));
  }

  /** With the caller's priority and labels, on the value before the call. */
  private Outcome.AttemptEnding call(
      Attempt attempt, StepId caller, int nth, Pipeline<?, ?> pipeline) {
    RunInfo parent = find(attempt.run);
    Graph graph = pipeline.graph();
    int lane = lanes.computeIfAbsent(graph, g -> store.definitions().register(g));
    NewRun run =
        new NewRun(
            ids.get(),
            null,
            null,
            parent.priority(),
            Labels.write(parent.labels()),
            input(attempt, pipeline),
            0,
            null,
            Starter.followedIfCalled(graph));
    RunEnds.RunToStart start =
        new RunEnds.RunToStart(new Registered(lane, graph), run, Starter.entries(graph));
    try {
      return store.calls().call(caller, nth, start).isPresent()
          ? new Outcome.Waits(Optional.empty())
          : new Outcome.GivenBack();
    } catch (LaneGoneException e) { // lost with a failover: the next process registers it
      lanes.remove(graph, lane);
      return new Outcome.GivenBack();
    }
  }

  /** As it was stored, unless the called pipeline declares another type for it. */
  private String input(Attempt attempt, Pipeline<?, ?> pipeline) {
    List<@Nullable String> inputs = attempt.inputs();
    String input = inputs == null ? null : inputs.get(0);
    if (input == null) {
      return codec.encode(null, Void.class);
    }
    Type from =
        attempt.pipeline.step(attempt.vertex.inputs().get(0).key()).orElseThrow().type().type();
    return RetypedValue.text(input, from, pipeline.inputType().type(), codec);
  }

  private RunInfo find(UUID run) {
    return store.runQueries().find(run).orElseThrow(() -> new UnknownRunException(run));
  }
}
