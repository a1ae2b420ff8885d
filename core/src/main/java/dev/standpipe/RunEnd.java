package dev.standpipe;

import dev.standpipe.definition.GraphNode;
import dev.standpipe.internal.EndedRun;
import dev.standpipe.internal.RunResults;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/** How a run has ended, for its callbacks. What it says was so when the run ended. Immutable. */
public final class RunEnd {
  private final EndedRun ended;
  private final StepContext ctx;

  RunEnd(EndedRun ended, StepContext ctx) {
    this.ended = ended;
    this.ctx = ctx;
  }

  /** The run's id. */
  public UUID run() {
    return UUID.fromString(ended.run());
  }

  /** The name of its pipeline. */
  public String pipeline() {
    return ended.pipeline();
  }

  /** How it has ended. */
  public RunStatus status() {
    return RunStatus.valueOf(ended.status().toUpperCase(Locale.ROOT));
  }

  /** Why it was halted. */
  public Optional<HaltReason> haltReason() {
    return Optional.ofNullable(ended.haltReason())
        .map(reason -> HaltReason.valueOf(reason.toUpperCase(Locale.ROOT)));
  }

  /** The step that halted it. */
  public Optional<String> haltNode() {
    return Optional.ofNullable(ended.haltNode());
  }

  /** Its result, read from the database; empty if it has none, or it is {@code null}. */
  public <T> Optional<T> output(Class<T> type) {
    return output(TypeToken.of(type));
  }

  /** Its result of a generic type. */
  public <T> Optional<T> output(TypeToken<T> type) {
    return read(originals -> originals.output(run(), ended.output(), type.type()));
  }

  /** Its input, read from the database; empty if it is {@code null}. */
  public <T> Optional<T> input(Class<T> type) {
    return input(TypeToken.of(type));
  }

  /** Its input of a generic type. */
  public <T> Optional<T> input(TypeToken<T> type) {
    return read(originals -> originals.value(run(), GraphNode.INPUT_KEY, 0, type.type()));
  }

  /** The codec read it as this type. */
  @SuppressWarnings("unchecked")
  private <T> Optional<T> read(Function<RunResults, Optional<Object>> reading) {
    return ctx instanceof RunResults originals
        ? (Optional<T>) reading.apply(originals)
        : Optional.empty();
  }

  @Override
  public String toString() {
    return "run " + ended.run() + " of " + ended.pipeline() + ": " + ended.status();
  }
}
