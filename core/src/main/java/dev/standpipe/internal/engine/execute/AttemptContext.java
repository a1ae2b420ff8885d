package dev.standpipe.internal.engine.execute;

import dev.standpipe.RunContext;
import dev.standpipe.StepTransaction;
import dev.standpipe.TypeToken;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.RunResults;
import dev.standpipe.internal.codec.InferredType;
import dev.standpipe.internal.engine.outbox.StepEvents;
import dev.standpipe.internal.engine.substep.ProgressNote;
import dev.standpipe.internal.engine.substep.TryMemory;
import dev.standpipe.internal.port.Settlement.StepEffect;
import dev.standpipe.internal.port.Settlement.TurnEntry;
import dev.standpipe.internal.transaction.BodyTransaction;
import dev.standpipe.outbox.EventOptions;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The context that a body gets, of one try. */
final class AttemptContext implements StepTransaction, RunResults {
  private final Attempt attempt;
  private final Optional<Duration> timeout;
  private final AttemptContextDeps deps;
  private final long startedAt = System.nanoTime();
  private @Nullable BodyTransaction transaction; // guarded by this
  private StepEvents events; // guarded by this
  private volatile @Nullable String output;
  private @Nullable TryMemory memory; // guarded by this; most bodies need none

  /**
   * What it tells of besides the try.
   *
   * @param shared the run's context
   * @param codec writes the result of a run that is ended early
   * @param originals values of other runs
   * @param events makes room for what a body emits
   * @param memory what sub-steps and checkpoints need
   */
  record AttemptContextDeps(
      SharedContext shared,
      PayloadCodec codec,
      RunResults originals,
      Supplier<StepEvents> events,
      TryMemory.TryMemoryDeps memory) {}

  AttemptContext(Attempt attempt, Optional<Duration> timeout, AttemptContextDeps deps) {
    this.attempt = attempt;
    this.timeout = timeout;
    this.deps = deps;
    this.events = deps.events().get();
  }

  /** The outcome of a body that has returned these values, with its effects. */
  Outcome.Returned returned(List<String> values) {
    events().end();
    return soFar(values);
  }

  /** The outcome if the body ended here: one that yields elements goes on. */
  Outcome.Returned soFar(List<String> values) {
    return new Outcome.Returned(values, output, effects());
  }

  /** The outcome of a turn that has handed a state on, with its effects. */
  Outcome.Turned turned(TurnEntry entry, Duration delay) {
    events().end();
    List<StepEffect> effects = new ArrayList<>();
    effects.add(entry);
    effects.addAll(effects());
    return new Outcome.Turned(entry, delay, output, effects);
  }

  /** What the body has done besides. */
  private synchronized List<StepEffect> effects() {
    List<StepEffect> shared = deps.shared().effects();
    List<StepEffect> emitted = events.emitted();
    List<StepEffect> remembered = memory == null ? List.of() : memory.effects();
    if (emitted.isEmpty() && remembered.isEmpty()) {
      return shared;
    }
    List<StepEffect> all = new ArrayList<>(shared);
    all.addAll(emitted);
    all.addAll(remembered);
    return all;
  }

  /** Whether what the body throws is not its fault. */
  synchronized boolean isBlameless() {
    return attempt.isCanceled()
        || deps.shared().wasUnreachable()
        || (memory != null && memory.isBlameless());
  }

  /** The body has failed: what it would emit is not taken any more. */
  void fail() {
    events().end();
  }

  /** The body has come back; one that yields elements goes on, and may emit. */
  synchronized void close() {
    if (memory != null) {
      memory.close();
    }
  }

  /**
   * A transactional body begins, perhaps again: what it has said before is as undone as what it has
   * written.
   */
  synchronized void begin(BodyTransaction opened) {
    deps.shared().forget();
    events.end();
    events = deps.events().get();
    output = null;
    transaction = opened;
  }

  /** What is written now is committed at once, apart from an open transaction of the body. */
  private synchronized TryMemory memory() {
    BodyTransaction current = transaction;
    if (current != null && current.isOpen()) {
      throw new IllegalStateException(
          "The transaction of the step \"%s\" is open, and sub-steps and checkpoints are committed"
                  .formatted(node())
              + " apart from it: call once(…) and checkpoint(…) before connection(), or in a step"
              + " of their own");
    }
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
  public int turn() {
    return attempt.turn().turn();
  }

  @Override
  public long token() {
    return attempt.ref.token();
  }

  @Override
  public String idempotencyKey() {
    String step = attempt.run + "/" + attempt.vertex.key() + "/" + attempt.index;
    return attempt.vertex.kind() == NodeKind.LOOP ? step + "/" + turn() : step;
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
    BodyTransaction current = transaction();
    if (current == null) {
      throw new IllegalStateException(
          "The step \"%s\" has no transaction: define it with transactional(…)".formatted(node()));
    }
    return current.connection();
  }

  private synchronized @Nullable BodyTransaction transaction() {
    return transaction;
  }

  @Override
  public UUID emit(String type, @Nullable Object payload, EventOptions options) {
    return events().emit(type, payload, Required.given(options, "options of the event"));
  }

  private synchronized StepEvents events() {
    return events;
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
