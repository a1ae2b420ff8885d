package dev.standpipe.internal.engine.execute;

import dev.standpipe.RunContext;
import dev.standpipe.StepTransaction;
import dev.standpipe.internal.RunResults;
import dev.standpipe.internal.transaction.BodyTransaction;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The context that a body gets, of one try. */
final class AttemptContext implements StepTransaction, RunResults {
  private final Attempt attempt;
  private final Optional<Duration> timeout;
  private final AttemptContextDeps deps;
  private final long startedAt = System.nanoTime();
  private final @Nullable BodyTransaction transaction;
  private volatile @Nullable String output;

  /**
   * What it tells of besides the try.
   *
   * @param shared the run's context
   * @param codec writes the result of a run that is ended early
   * @param originals values of other runs
   */
  record AttemptContextDeps(SharedContext shared, PayloadCodec codec, RunResults originals) {}

  /** Without a transaction. */
  AttemptContext(Attempt attempt, Optional<Duration> timeout, AttemptContextDeps deps) {
    this(attempt, timeout, deps, null);
  }

  /** With the transaction of a transactional body. */
  AttemptContext(
      Attempt attempt,
      Optional<Duration> timeout,
      AttemptContextDeps deps,
      @Nullable BodyTransaction transaction) {
    this.attempt = attempt;
    this.timeout = timeout;
    this.deps = deps;
    this.transaction = transaction;
  }

  /** The outcome of a body that has returned these values, with its effects. */
  Outcome.Returned returned(List<String> values) {
    return new Outcome.Returned(values, output, deps.shared().effects());
  }

  @Override
  public UUID runId() {
    return attempt.run;
  }

  @Override
  public String pipeline() {
    return attempt.pipeline.name();
  }

  @Override
  public String node() {
    return attempt.vertex.key();
  }

  @Override
  public int index() {
    return attempt.index;
  }

  @Override
  public int attempt() {
    return attempt.number;
  }

  @Override
  public long token() {
    return attempt.ref.token();
  }

  @Override
  public String idempotencyKey() {
    return attempt.run + "/" + attempt.vertex.key() + "/" + attempt.index;
  }

  @Override
  public boolean isCanceled() {
    return attempt.isCanceled();
  }

  @Override
  public Optional<Duration> timeLeft() {
    return timeout.map(
        limit -> Duration.ofNanos(Math.max(0, limit.toNanos() - (System.nanoTime() - startedAt))));
  }

  @Override
  public void finishRun(@Nullable Object value) {
    output = EarlyOutput.encode(attempt.pipeline, value, deps.codec());
  }

  @Override
  public Connection connection() {
    if (transaction == null) {
      throw new IllegalStateException(
          "The step \"%s\" has no transaction: define it with transactional(…)".formatted(node()));
    }
    return transaction.connection();
  }

  @Override
  public RunContext context() {
    return deps.shared();
  }

  @Override
  public Optional<Object> value(UUID run, String node, int index, Type type) {
    return deps.originals().value(run, node, index, type);
  }

  @Override
  public Optional<Object> output(UUID run, String node, Type type) {
    return deps.originals().output(run, node, type);
  }

  @Override
  public List<Integer> succeeded(UUID run, String node) {
    return deps.originals().succeeded(run, node);
  }

  @Override
  public Logger log() {
    return LoggerFactory.getLogger("dev.standpipe.step." + pipeline() + "." + node());
  }
}
