package dev.standpipe.internal.engine;

import dev.standpipe.AttemptInfo;
import dev.standpipe.AwaitTimeoutException;
import dev.standpipe.Pipeline;
import dev.standpipe.Run;
import dev.standpipe.RunFailedException;
import dev.standpipe.RunInfo;
import dev.standpipe.RunOptions;
import dev.standpipe.RunStatus;
import dev.standpipe.StepInfo;
import dev.standpipe.TypeToken;
import dev.standpipe.UnknownRunException;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Runs;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A run as callers see it. */
final class RunHandle<T> implements Run<T> {
  private final UUID id;
  private final String output;
  private final TypeToken<T> type;
  private final Runs runs;
  private final Waiters waiters;
  private final PayloadCodec codec;
  private final Chaining chaining;

  /**
   * What a handle works with.
   *
   * @param runs the rows
   * @param waiters those who wait
   * @param codec reads values
   * @param chaining chains runs to this
   */
  record Means(Runs runs, Waiters waiters, PayloadCodec codec, Chaining chaining) {}

  RunHandle(UUID id, String output, TypeToken<T> type, Means means) {
    this.id = id;
    this.output = output;
    this.type = type;
    this.runs = means.runs();
    this.waiters = means.waiters();
    this.codec = means.codec();
    this.chaining = means.chaining();
  }

  @Override
  public UUID id() {
    return id;
  }

  @Override
  public RunInfo info() {
    return runs.find(id).orElseThrow(() -> new UnknownRunException(id));
  }

  @Override
  public List<StepInfo> steps() {
    return runs.steps(id);
  }

  @Override
  public List<AttemptInfo> attempts() {
    return runs.attempts(id);
  }

  @Override
  public Optional<T> result() {
    return status() == RunStatus.SUCCEEDED ? Optional.ofNullable(value()) : Optional.empty();
  }

  @Override
  public T await(Duration timeout) throws InterruptedException {
    Waiters.End end =
        waiters.await(id, timeout).orElseThrow(() -> new AwaitTimeoutException(id, timeout));
    if (end.output().isPresent()) {
      return decoded(end.output().get());
    }
    RunInfo info = info();
    if (info.status() == RunStatus.SUCCEEDED) {
      return value();
    }
    Optional<AttemptInfo> decisive = info.haltNode().flatMap(node -> runs.decisive(id, node));
    throw new RunFailedException(info, decisive, runs.failed(id, RunFailedException.MOST));
  }

  @Override
  public <R> Run<R> then(Pipeline<? super T, R> next, RunOptions options) {
    return chaining.then(id, next, options);
  }

  /** The step whose value it is may have been skipped. */
  @SuppressWarnings("NullAway")
  private T value() {
    return runs.output(id, output).map(this::decoded).orElse(null);
  }

  /** The codec read it as this type; a step may return null where the caller allows it. */
  @SuppressWarnings({"unchecked", "NullAway"})
  private T decoded(String text) {
    return (T) codec.decode(text, type.type());
  }
}
