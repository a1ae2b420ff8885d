package dev.standpipe.internal.engine;

import dev.standpipe.RunContext;
import dev.standpipe.StepContext;
import dev.standpipe.spi.PayloadCodec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a body is told about its try. */
final class Context implements StepContext {
  private final Work work;
  private final Optional<Duration> timeout;
  private final SharedContext shared;
  private final PayloadCodec codec;
  private final long startedAt = System.nanoTime();
  private volatile @Nullable String output;

  Context(Work work, Optional<Duration> timeout, SharedContext shared, PayloadCodec codec) {
    this.work = work;
    this.timeout = timeout;
    this.shared = shared;
    this.codec = codec;
  }

  /** What is to be committed with the values of the step. */
  Outcome.Returned returned(List<String> values) {
    return new Outcome.Returned(values, output, shared.entries());
  }

  @Override
  public UUID runId() {
    return work.run;
  }

  @Override
  public String pipeline() {
    return work.pipeline.name();
  }

  @Override
  public String node() {
    return work.vertex.key();
  }

  @Override
  public int index() {
    return work.index;
  }

  @Override
  public int attempt() {
    return work.attempt;
  }

  @Override
  public long token() {
    return work.token;
  }

  @Override
  public String idempotencyKey() {
    return work.run + "/" + work.vertex.key() + "/" + work.index;
  }

  @Override
  public boolean isCanceled() {
    return work.isCanceled();
  }

  @Override
  public Optional<Duration> timeLeft() {
    return timeout.map(
        limit -> Duration.ofNanos(Math.max(0, limit.toNanos() - (System.nanoTime() - startedAt))));
  }

  @Override
  public void finishRun(@Nullable Object value) {
    output = EarlyOutput.encode(work.pipeline, value, codec);
  }

  @Override
  public RunContext context() {
    return shared;
  }

  @Override
  public Logger log() {
    return LoggerFactory.getLogger("dev.standpipe.step." + pipeline() + "." + node());
  }
}
