package dev.standpipe.internal.engine.execute;

import dev.standpipe.RunContext;
import dev.standpipe.StepContext;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.RunResults;
import dev.standpipe.internal.engine.outbox.StepEvents;
import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The context that a body gets, of one try. */
final class AttemptContext implements StepContext, RunResults {
  private final Attempt attempt;
  private final Optional<Duration> timeout;
  private final AttemptContextDeps deps;
  private final long startedAt = System.nanoTime();
  private volatile @Nullable String output;

  /**
   * What it tells of besides the try.
   *
   * @param shared the run's context
   * @param codec writes the result of a run that is ended early
   * @param originals values of other runs
   * @param events what the body emits
   */
  record AttemptContextDeps(
      SharedContext shared, PayloadCodec codec, RunResults originals, StepEvents events) {}

  AttemptContext(Attempt attempt, Optional<Duration> timeout, AttemptContextDeps deps) {
    this.attempt = attempt;
    this.timeout = timeout;
    this.deps = deps;
  }

  /** The outcome of a body that has returned these values, with its effects. */
  Outcome.Returned returned(List<String> values) {
    deps.events().end();
    return soFar(values);
  }

  /** The outcome if the body ended here: one that yields elements goes on. */
  Outcome.Returned soFar(List<String> values) {
    List<StepEffect> effects = deps.shared().effects();
    List<StepEffect> events = deps.events().emitted();
    return new Outcome.Returned(values, output, events.isEmpty() ? effects : both(effects, events));
  }

  private static List<StepEffect> both(List<StepEffect> some, List<StepEffect> more) {
    List<StepEffect> all = new ArrayList<>(some);
    all.addAll(more);
    return all;
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
  public UUID emit(String type, @Nullable Object payload, EventOptions options) {
    return deps.events().emit(type, payload, Required.given(options, "options of the event"));
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
