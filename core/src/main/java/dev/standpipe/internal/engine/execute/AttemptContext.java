package dev.standpipe.internal.engine.execute;

import dev.standpipe.RunContext;
import dev.standpipe.StepContext;
import dev.standpipe.TypeToken;
import dev.standpipe.internal.RunResults;
import dev.standpipe.internal.codec.InferredType;
import dev.standpipe.internal.engine.substep.ProgressNote;
import dev.standpipe.internal.engine.substep.TryMemory;
import dev.standpipe.internal.port.Settlement.StepEffect;
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
  private @Nullable TryMemory memory; // guarded by this; most bodies need none

  /**
   * What it tells of besides the try.
   *
   * @param shared the run's context
   * @param codec writes the result of a run that is ended early
   * @param originals values of other runs
   * @param memory what sub-steps and checkpoints need
   */
  record AttemptContextDeps(
      SharedContext shared,
      PayloadCodec codec,
      RunResults originals,
      TryMemory.TryMemoryDeps memory) {}

  AttemptContext(Attempt attempt, Optional<Duration> timeout, AttemptContextDeps deps) {
    this.attempt = attempt;
    this.timeout = timeout;
    this.deps = deps;
  }

  /** The outcome of a body that has returned these values, with its effects. */
  Outcome.Returned returned(List<String> values) {
    return new Outcome.Returned(values, output, effects());
  }

  private synchronized List<StepEffect> effects() {
    List<StepEffect> shared = deps.shared().effects();
    if (memory == null) {
      return shared;
    }
    List<StepEffect> all = new ArrayList<>(shared);
    all.addAll(memory.effects());
    return all;
  }

  /** Whether what the body throws is not its fault. */
  synchronized boolean isBlameless() {
    return attempt.isCanceled()
        || deps.shared().wasUnreachable()
        || (memory != null && memory.isBlameless());
  }

  /** The body has come back. */
  synchronized void close() {
    if (memory != null) {
      memory.close();
    }
  }

  private synchronized TryMemory memory() {
    TryMemory known = memory;
    if (known == null) {
      known =
          new TryMemory(
              new TryMemory.TrySubject(
                  attempt.owner, attempt.ref, attempt.step(), attempt::isCanceled),
              deps.memory());
      memory = known;
    }
    return known;
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
  public RunContext context() {
    return deps.shared();
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T once(
      String key, TypeToken<T> type, OnceValue<? extends T, E> call) throws E {
    T value = memory().<T, E>once(key, type.type(), call::get);
    attempt.progressed(null);
    return value;
  }

  @Override
  public void checkpoint(@Nullable Object value) {
    memory().checkpoint(value, InferredType.of(value));
    attempt.progressed(null);
  }

  @Override
  public <T> void checkpoint(T value, TypeToken<T> type) {
    memory().checkpoint(value, type.type());
    attempt.progressed(null);
  }

  /** The codec read it as this type. */
  @SuppressWarnings("unchecked")
  @Override
  public <T> Optional<T> checkpoint(TypeToken<T> type) {
    return memory().checkpoint(type.type()).map(value -> (T) value);
  }

  @Override
  public void progress(long done, long total, String note) {
    attempt.progressed(ProgressNote.of(done, total, note));
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
