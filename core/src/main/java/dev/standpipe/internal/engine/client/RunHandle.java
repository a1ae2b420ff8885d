package dev.standpipe.internal.engine.client;

import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.TypeToken;
import dev.standpipe.error.AwaitTimeoutException;
import dev.standpipe.error.RunFailedException;
import dev.standpipe.error.UnknownRunException;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.SubStepInfo;
import dev.standpipe.info.TurnInfo;
import dev.standpipe.internal.port.RunQueries;
import dev.standpipe.spi.PayloadCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** A run as callers see it. */
public final class RunHandle<T> implements Run<T> {
  private static final int MOST_PENDING = 1_000;

  private final StartedRun run;
  private final UUID id;
  private final String pipeline;
  private final TypeToken<T> type;
  private final RunQueries runs;
  private final RunWaiters waiters;
  private final PayloadCodec codec;
  private final Chaining chaining;
  private final OutageRetry outages;

  /**
   * What a handle works with.
   *
   * @param runs the rows
   * @param waiters those who wait
   * @param codec reads values
   * @param chaining chains runs to this
   * @param outages waits while the database is away
   */
  record RunHandleDeps(
      RunQueries runs,
      RunWaiters waiters,
      PayloadCodec codec,
      Chaining chaining,
      OutageRetry outages) {}

  RunHandle(StartedRun run, String pipeline, TypeToken<T> type, RunHandleDeps deps) {
    this.run = run;
    this.id = run.id();
    this.pipeline = pipeline;
    this.type = type;
    this.runs = deps.runs();
    this.waiters = deps.waiters();
    this.codec = deps.codec();
    this.chaining = deps.chaining();
    this.outages = deps.outages();
  }

  @Override
  public UUID id() {
    return id;
  }

  @Override
  public RunInfo info() {
    return read(() -> runs.find(id)).orElseThrow(() -> new UnknownRunException(id));
  }

  @Override
  public List<StepInfo> steps() {
    return read(() -> runs.steps(id));
  }

  @Override
  public List<AttemptInfo> attempts() {
    return read(() -> runs.attempts(id));
  }

  @Override
  public List<SubStepInfo> subSteps(String node, int index) {
    ApiBoundary.given(node, "key of the node");
    return read(() -> runs.subSteps(id, node, index));
  }

  @Override
  public List<PendingStep> pending() {
    return read(() -> runs.pending(id, MOST_PENDING));
  }

  /** The codec read it as this type; null is the only state of a loop on a value without one. */
  @SuppressWarnings("NullAway")
  @Override
  public <S> List<TurnInfo<S>> turns(String node, int index, Class<S> state) {
    ApiBoundary.given(state, "type of the state");
    ApiBoundary.given(node, "key of the node");
    return read(() -> runs.turns(id, node, index)).stream()
        .map(turn -> turn.withState(state.cast(codec.decode(turn.state(), state))))
        .toList();
  }

  /** The codec read it as this type. */
  @SuppressWarnings("NullAway")
  @Override
  public <V> Optional<V> value(String node, int index, Class<V> type) {
    ApiBoundary.given(type, "type of the value");
    ApiBoundary.given(node, "key of the node");
    return read(() -> runs.value(id, node, index)).map(text -> type.cast(codec.decode(text, type)));
  }

  @Override
  public Optional<T> result() {
    return status() == RunStatus.SUCCEEDED ? Optional.ofNullable(value()) : Optional.empty();
  }

  @Override
  public T await(Duration timeout) throws InterruptedException {
    Duration longest = ApiBoundary.given(timeout, "time to wait");
    RunWaiters.KnownEnd end =
        waiters
            .await(run, longest)
            .orElseThrow(() -> new AwaitTimeoutException(id, timeout, RunProgress.of(runs, id)));
    if (end.output().isPresent()) {
      return decoded(end.output().get());
    }
    RunInfo info = info();
    if (info.status() == RunStatus.SUCCEEDED) {
      return value();
    }
    throw read(() -> failed(info));
  }

  @Override
  public <R> Run<R> then(Pipeline<? super T, R> next, RunOptions options) {
    ApiBoundary.given(next, "pipeline to go on with");
    return ApiBoundary.call(
        () -> chaining.then(id, next, ApiBoundary.given(options, "options of the run")));
  }

  @Override
  public String toString() {
    return "run " + id + " of " + pipeline;
  }

  /** Reads for a user of the API, and waits while the database is away. */
  private <V> V read(Supplier<V> reading) {
    return ApiBoundary.call(() -> outages.reading(reading));
  }

  private RunFailedException failed(RunInfo info) {
    Optional<AttemptInfo> decisive = info.haltNode().flatMap(node -> runs.decisive(id, node));
    return new RunFailedException(info, decisive, runs.failed(id, RunFailedException.MOST));
  }

  /** The step whose value it is may have been skipped. */
  @SuppressWarnings("NullAway")
  private T value() {
    return read(() -> runs.output(id, run.awaited().output())).map(this::decoded).orElse(null);
  }

  /** The codec read it as this type; a step may return null where the caller allows it. */
  @SuppressWarnings({"unchecked", "NullAway"})
  private T decoded(String text) {
    return (T) codec.decode(text, type.type());
  }
}
