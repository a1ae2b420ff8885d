package dev.standpipe.internal.engine;

import dev.standpipe.StepContext;
import dev.standpipe.spi.Originals;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a body is told about its try. */
final class Context implements StepContext, Originals {
  private final Work work;
  private final Optional<Duration> timeout;
  private final Originals originals;
  private final long startedAt = System.nanoTime();

  Context(Work work, Optional<Duration> timeout, Originals originals) {
    this.work = work;
    this.timeout = timeout;
    this.originals = originals;
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
  public Optional<Object> value(UUID run, String node, int index, Type type) {
    return originals.value(run, node, index, type);
  }

  @Override
  public List<Integer> succeeded(UUID run, String node) {
    return originals.succeeded(run, node);
  }

  @Override
  public Logger log() {
    return LoggerFactory.getLogger("dev.standpipe.step." + pipeline() + "." + node());
  }
}
